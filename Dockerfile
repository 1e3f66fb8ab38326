# An image of the tarball that `cargo xtask dist` makes.
FROM debian:12-slim
RUN apt-get update -q && apt-get install -yq --no-install-recommends libstdc++6 gcc libc6-dev && rm -rf /var/lib/apt/lists/*
ADD target/dist/lariat-0.1.0-x86_64-unknown-linux-gnu.tar.gz /opt/
RUN ln -s /opt/lariat-0.1.0-x86_64-unknown-linux-gnu/bin/lariat /usr/local/bin/lariat
WORKDIR /work
ENTRYPOINT ["lariat"]
