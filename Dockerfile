# Capstan in one image: docker build --tag capstan:0.1.0 .
# Run with /data as a volume (or with MongoDB and object storage, see compose.yml). deploy/README.md says what the sandbox inside needs.

FROM node:20.20.2-bookworm-slim AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY tsconfig.json ./
COPY config ./config
COPY core ./core
COPY plugins ./plugins
COPY scripts ./scripts
COPY test ./test
RUN node_modules/.bin/tsc -p tsconfig.json --declaration false --sourceMap false \
  && node scripts/bundle.mjs \
  && find dist -name '*.map' -delete \
  && mkdir /out \
  && mv dist /out/ \
  && rm -rf /out/dist/test \
  && find /out/dist/scripts -mindepth 1 -maxdepth 1 ! -name capstan -exec rm -rf {} + \
  && find /out/dist -name '*.spec.js' -delete
# What the running gateway reads beside its code: data files of plugins, the default waterfalls, the version.
RUN cp -r plugins config package.json /out/ \
  && find /out/plugins /out/config -name '*.ts' -delete \
  && find /out/plugins -type d -empty -delete

FROM node:20.20.2-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts

# Engine packs: docker build --build-arg PACKS="voice cutout", or "engines" for all; none by default. They come by exact version and hash from where npm
# and pip are set up to download.
FROM node:20.20.2-bookworm-slim AS packs
ARG PACKS=""
WORKDIR /app
COPY package.json .npmrc ./
COPY scripts ./scripts
COPY plugins ./plugins
RUN mkdir .tools \
  && if [ -n "${PACKS}" ]; then \
    apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates python3 python3-venv \
    && node scripts/tools.mjs ${PACKS}; \
  fi

FROM node:20.20.2-bookworm-slim
# tini reaps what is left of sandboxes; bubblewrap and the browser are found on the PATH and dormant where the host forbids them.
# Programs that capabilities use beside them: docker build --build-arg PROGRAMS="…" for others or none; `capstan doctor` names what is missing.
ARG PROGRAMS="espeak-ng ffmpeg fonts-crosextra-carlito fonts-liberation fonts-noto-cjk fonts-noto-color-emoji imagemagick libarchive-tools libreoffice-calc-nogui libreoffice-draw-nogui libreoffice-impress-nogui libreoffice-math-nogui libreoffice-writer-nogui pandoc pocketsphinx pocketsphinx-en-us poppler-data poppler-utils python3 sonic-pi-samples tesseract-ocr tesseract-ocr-eng tesseract-ocr-osd timgm6mb-soundfont"
ARG PACKS=""
RUN apt-get update \
  && apt-get install -y --no-install-recommends \
    bubblewrap ca-certificates chromium-headless-shell fonts-dejavu-core python3-minimal tini ${PROGRAMS} ${PACKS:+espeak-ng python3} \
  && rm -rf /var/lib/apt/lists/* \
  && groupadd --system --gid 10001 capstan \
  && useradd --system --uid 10001 --gid capstan --home-dir /data --shell /usr/sbin/nologin capstan \
  && install -d -o capstan -g capstan -m 0700 /data \
  && printf '#!/bin/sh\nexec node /app/dist/capstan.js "$@"\n' > /usr/local/bin/capstan \
  && chmod 0755 /usr/local/bin/capstan
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=packs /app/.tools ./.tools
COPY --from=build /out ./
COPY LICENSE ./
ENV NODE_ENV=production \
  MALLOC_ARENA_MAX=8 \
  MALLOC_MMAP_THRESHOLD_=1048576 \
  MALLOC_TRIM_THRESHOLD_=1048576 \
  CAPSTAN_HOST=0.0.0.0 \
  CAPSTAN_PORT=8420 \
  CAPSTAN_DATA=/data
USER 10001:10001
VOLUME /data
EXPOSE 8420
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "require('node:http').get({port:process.env.CAPSTAN_PORT,path:'/readyz'},(r)=>process.exit(r.statusCode===200?0:1)).on('error',()=>process.exit(1))"]
ENTRYPOINT ["tini", "--", "node", "--max-semi-space-size=8", "--max-old-space-size=1024", "--no-allocation-site-pretenuring", "--v8-pool-size=1", "/app/dist/capstan.js"]
CMD ["serve", "--json"]
