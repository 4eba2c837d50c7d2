"""Which host names and addresses can only ever mean the machine they are used on."""

from ipaddress import ip_address


def is_this_machine(host: str) -> bool:
    """Whether a host name or address can only ever mean the machine it is used on."""
    try:
        return host.casefold() == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
