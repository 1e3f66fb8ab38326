"""Makes a Python wheel of a folder that `cargo xtask dist` has put together: make_wheel.py FOLDER OUT VERSION.

`pip install` puts `bin/lariat` beside the interpreter and the libraries into its `lib`, where the binary looks for them.
"""

import base64
import hashlib
import os
import sys
import zipfile


def main(folder: str, out: str, version: str) -> str:
    name = f"lariat-{version}"
    tag = "py3-none-manylinux_2_34_x86_64"
    path = os.path.join(out, f"{name}-{tag}.whl")
    info = f"{name}.dist-info"
    record = []
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:

        def add(target: str, content: bytes, mode: int = 0o644) -> None:
            entry = zipfile.ZipInfo(target, date_time=(2000, 1, 1, 0, 0, 0))
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, content)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record.append(f"{target},sha256={digest},{len(content)}")

        def read(*parts: str) -> bytes:
            with open(os.path.join(folder, *parts), "rb") as file:
                return file.read()

        add(f"{name}.data/scripts/lariat", read("bin", "lariat"), 0o755)
        for library in sorted(os.listdir(os.path.join(folder, "lib"))):
            add(f"{name}.data/data/lib/{library}", read("lib", library), 0o755)
        for page in sorted(os.listdir(os.path.join(folder, "share", "man", "man1"))):
            add(f"{name}.data/data/share/man/man1/{page}", read("share", "man", "man1", page))
        for text in ("LICENSE-APACHE", "LICENSE-MIT", "LICENSES-of-libraries"):
            add(f"{info}/licenses/{text}", read("share", "doc", "lariat", text))
        metadata = (
            f"Metadata-Version: 2.4\nName: lariat\nVersion: {version}\nSummary: Verifier of C and Boogie programs\n"
            "License-Expression: MIT OR Apache-2.0\nDescription-Content-Type: text/markdown\n\n"
        )
        add(f"{info}/METADATA", metadata.encode() + read("share", "doc", "lariat", "README.md"))
        add(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: lariat\nRoot-Is-Purelib: false\nTag: {tag}\n".encode())
        record.append(f"{info}/RECORD,,")
        wheel.writestr(f"{info}/RECORD", "\n".join(record) + "\n")
    return path


if __name__ == "__main__":
    print(main(*sys.argv[1:4]))
