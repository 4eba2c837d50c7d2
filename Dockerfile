# The service with all that lets it scale out: locked, hash-checked dependencies, and a user who owns nothing but the data.
FROM python:3.11-slim AS built
WORKDIR /source
RUN python -m venv /opt/docmind
COPY requirements/service.lock requirements/
RUN /opt/docmind/bin/pip install --no-cache-dir --require-hashes -r requirements/service.lock
COPY pyproject.toml README.md LICENSE NOTICE ./
COPY src src
COPY examples examples
RUN /opt/docmind/bin/pip install --no-cache-dir --no-deps --no-build-isolation .

FROM python:3.11-slim
RUN useradd --system --uid 10001 docmind && install --directory --owner docmind /data
COPY --from=built /opt/docmind /opt/docmind
ENV PATH=/opt/docmind/bin:$PATH \
    HOME=/data \
    DOCMIND_DATA_DIR=/data
WORKDIR /data
VOLUME /data
USER docmind
EXPOSE 8000
ENTRYPOINT ["docmind"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8000"]
