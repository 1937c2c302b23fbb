# Built from the packed package: npm pack --pack-destination package && docker build --tag commerce-conformance .
FROM node:22-slim
COPY package/*.tgz /tmp/
RUN npm install --global --no-audit --no-fund /tmp/*.tgz && rm -r /tmp/*.tgz /root/.npm
# Reports go to the folder that is mounted here, as the user that docker run --user names.
WORKDIR /work
USER node
ENTRYPOINT ["commerce-conformance"]
CMD ["--help"]
