# One image for every service: crawler, api, migrations. For the classic builder and for BuildKit.
#   docker build -t parallax .
#   docker build -t parallax --build-arg PYTHON_IMAGE=python:3.12-slim-bookworm .
# The base is any Debian with Python 3.11 or newer and pip.
ARG PYTHON_IMAGE=python:3.11-slim-bookworm

# Our own packages as a wheel. Built apart, so that nothing it takes to build stays in the image.
FROM ${PYTHON_IMAGE} AS wheel
WORKDIR /source
COPY requirements.lock ./
RUN pip install --no-cache-dir --no-compile --root-user-action=ignore --only-binary :all: --constraint requirements.lock hatchling editables
COPY . ./
RUN pip wheel --no-cache-dir --no-deps --no-build-isolation --wheel-dir /wheels .

FROM ${PYTHON_IMAGE}
LABEL org.opencontainers.image.title="Parallax" \
      org.opencontainers.image.description="Finds where a page's structure and its pixels disagree, and proves what the pixels show." \
      org.opencontainers.image.licenses="Apache-2.0"

# What seldom changes comes first. The headless shell is Chromium without the desktop around it; the driver brings the whole one;
# the Node that Playwright brings wants libatomic.
RUN apt-get update \
 && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
      chromium-headless-shell chromium-driver libatomic1 \
      fonts-dejavu fonts-liberation fonts-noto-cjk fonts-noto-color-emoji \
 && rm -rf /var/lib/apt/lists/*

# The packages that pyproject.toml asks for at run time, at the versions of the lock; wheels only, so no compiler is needed.
WORKDIR /opt/parallax
COPY pyproject.toml requirements.lock ./
RUN python3 -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["dependencies"], sep="\n")' > asked.txt \
 && pip install --no-cache-dir --root-user-action=ignore --only-binary :all: --constraint requirements.lock --requirement asked.txt

# The same number everywhere: crawlers and API share the volume at /data.
RUN groupadd --gid 10001 parallax \
 && useradd --uid 10001 --gid parallax --no-create-home --home-dir /tmp --shell /usr/sbin/nologin parallax \
 && install -d -o parallax -g parallax /data

# What changes with every commit comes last.
COPY docker/healthy.py /opt/parallax/
COPY --from=wheel /wheels /opt/parallax/wheels
RUN pip install --no-cache-dir --root-user-action=ignore --no-deps --no-index /opt/parallax/wheels/*.whl

ENV LANG=C.UTF-8 \
    HOME=/tmp \
    PYTHONUNBUFFERED=1 \
    PARALLAX_DATA=/data
USER parallax
WORKDIR /data
CMD ["crawler", "--help"]
