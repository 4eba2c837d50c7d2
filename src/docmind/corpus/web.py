"""Fetches web addresses as files: within limits, and never from this machine or a private network unless allowed."""

import ipaddress
import re
import socket
from dataclasses import dataclass
from pathlib import Path

import anyio
import httpx

from docmind.corpus.tables import Version
from docmind.domain.errors import FileRejected

MOST_REDIRECTS = 5
LONGEST_ADDRESS = 2_000
_ADDRESS = re.compile(r"https?://", re.IGNORECASE)
_PASSWORD = re.compile(r"^(https?://)[^/@]*@", re.IGNORECASE)
_PORTS = {"http": 80, "https": 443}
_NOT_MODIFIED = 304
_ANYWHERE = ipaddress.ip_network("64:ff9b::/96")
"""Addresses of the newer kind that gateways turn into those of the older one, whichever that is."""


@dataclass(frozen=True, slots=True)
class Page:
    """What is known of a page that was fetched; its content lies in the file that was named."""

    media_type: str
    version: Version


def is_web_address(text: str) -> bool:
    return _ADDRESS.match(text) is not None


def web_address(text: str) -> str:
    """The address as documents are known by it; `FileRejected` where it is none that can be fetched."""
    if len(text) > LONGEST_ADDRESS:
        raise FileRejected(f"is an address of more than {LONGEST_ADDRESS:,} characters.")
    try:
        url = httpx.URL(text.strip())
    except httpx.InvalidURL as error:
        raise FileRejected(f"is not an address: {error}.") from error
    if url.scheme not in _PORTS or not url.host:
        raise FileRejected(
            "is not an address that can be fetched; one begins with http:// or https:// and names a host."
        )
    if url.userinfo:
        raise FileRejected("holds a user name or password, which everybody would see who reads a citation.")
    return str(url.copy_with(fragment=None))


def page_name(address: str) -> str:
    """What people see of an address: all of it but a password."""
    return _PASSWORD.sub(r"\1", address)[:LONGEST_ADDRESS]


async def fetch(
    address: str, target: Path, *, known: Version | None, most_bytes: int, timeout_s: float, private: bool
) -> Page | None:
    """Write what is at the address into `target`; None where it is the version that is `known`.

    `private` lets it lead to this machine or into a private network.
    """
    try:
        with anyio.fail_after(timeout_s):
            async with httpx.AsyncClient(trust_env=False, timeout=timeout_s) as client:
                return await _follow(client, httpx.URL(address), target, known, most_bytes, private)
    except (TimeoutError, httpx.TimeoutException) as error:
        raise FileRejected(f"took longer than {timeout_s:g} seconds to fetch.") from error
    except (httpx.HTTPError, httpx.InvalidURL, ValueError, OSError) as error:
        raise FileRejected(f"cannot be fetched: {str(error) or type(error).__name__}.") from error


async def _follow(
    client: httpx.AsyncClient, url: httpx.URL, target: Path, known: Version | None, most_bytes: int, private: bool
) -> Page | None:
    for _ in range(MOST_REDIRECTS + 1):
        request = _request(client, url, await _checked_host(url, private), known)
        answer = await client.send(request, stream=True)
        try:
            if not answer.has_redirect_location:
                return await _received(answer, target, known, most_bytes)
            url = url.join(answer.headers["Location"])
        finally:
            await answer.aclose()
        if url.scheme not in _PORTS or not url.host:
            raise FileRejected(f"leads on to {str(url)[:200]}, which is no web address.")
    raise FileRejected(f"leads on more than {MOST_REDIRECTS} times.")


def _request(client: httpx.AsyncClient, url: httpx.URL, host: str, known: Version | None) -> httpx.Request:
    """A request to the very address that was checked: looked up again, the name could lead somewhere else."""
    headers = {"Host": url.netloc.decode("ascii"), "User-Agent": "DocMind", "Accept-Encoding": "identity"}
    if known is not None and known.etag:
        headers["If-None-Match"] = known.etag
    if known is not None and known.last_modified:
        headers["If-Modified-Since"] = known.last_modified
    # The certificate is to be that of the name, not of the number.
    extensions = {"sni_hostname": url.raw_host.decode("ascii")}
    return client.build_request("GET", url.copy_with(host=host), headers=headers, extensions=extensions)


async def _checked_host(url: httpx.URL, private: bool) -> str:
    """The number that the host's name leads to, if every number it leads to may be asked."""
    name = url.raw_host.decode("ascii").strip("[]")
    try:
        found = await anyio.getaddrinfo(name, url.port or _PORTS[url.scheme], type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise FileRejected(f"cannot be fetched: the host {name[:200]!r} is not known.") from error
    numbers = [str(place[0]) for *_, place in found]
    if not numbers or not (private or all(map(is_public, numbers))):
        raise FileRejected(
            f"leads to {name[:200]!r}, which is this machine or in a private network; such addresses are fetched only "
            "if DOCMIND_INGEST__PRIVATE_ADDRESSES allows it."
        )
    return numbers[0]


def is_public(number: str) -> bool:
    """True if an address is that of a machine on the internet, and not of this one or of a network of one's own."""
    try:
        address = ipaddress.ip_address(number.partition("%")[0])
    except ValueError:
        return False
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else None)
        if inner is not None:
            return is_public(str(inner))
        if address in _ANYWHERE:
            return is_public(str(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)))
    return address.is_global and not address.is_multicast


async def _received(answer: httpx.Response, target: Path, known: Version | None, most_bytes: int) -> Page | None:
    if answer.status_code == _NOT_MODIFIED and known is not None:
        return None
    if answer.status_code != httpx.codes.OK:
        reason = f" ({answer.reason_phrase})" if answer.reason_phrase else ""
        raise FileRejected(f"cannot be fetched: the server answered {answer.status_code}{reason}.")
    too_large = FileRejected(f"is larger than {most_bytes >> 20:,} MB, which is the limit.")
    said = answer.headers.get("Content-Length", "")
    if said.isdigit() and int(said) > most_bytes:
        raise too_large
    size = 0
    with target.open("wb") as file:
        async for piece in answer.aiter_bytes():
            size += len(piece)
            if size > most_bytes:
                raise too_large
            file.write(piece)
    media_type = answer.headers.get("Content-Type", "").partition(";")[0].strip().lower()
    return Page(media_type, Version(answer.headers.get("ETag", ""), answer.headers.get("Last-Modified", "")))
