#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""Reads a safetensors file without any of the code that wrote it, and compares it with what examples/checkpoint.py says its
model holds: safetensors_check.py FILE. Ends with 1 where something is wrong.

The format (huggingface/safetensors, README): 8 bytes with the length of the header, little-endian; the header, a JSON object that
begins with "{" and may end with spaces; then the tensors' bytes, row-major and little-endian, without gaps."""
import json
import struct
import sys

SIZES = {"F32": ("f", 4)}


def fail(text):
    print(text)
    sys.exit(1)


def main(path):
    with open(path, "rb") as file:
        data = file.read()
    (length,) = struct.unpack_from("<Q", data)
    if data[8:9] != b"{":
        fail(f"the header begins with {data[8:9]}")
    entries = json.loads(data[8 : 8 + length])
    metadata = entries.pop("__metadata__", {})
    if not all(isinstance(value, str) for value in metadata.values()):
        fail("metadata are texts")
    body = data[8 + length :]
    end = 0
    for name, entry in sorted(entries.items(), key=lambda item: item[1]["data_offsets"]):
        code, size = SIZES[entry["dtype"]]
        count = 1
        for extent in entry["shape"]:
            count *= extent
        begin, end_of_this = entry["data_offsets"]
        if begin != end or end_of_this - begin != count * size:
            fail(f"{name} has the bytes {begin} to {end_of_this}, behind {end}, and {count} values of {size} bytes")
        end = end_of_this
        for place, value in enumerate(struct.unpack_from(f"<{count}{code}", body, begin)):
            if value != place % 2039 + len(name):
                fail(f"{name}: value {place} is {value}, expected {place % 2039 + len(name)}")
    if end != len(body):
        fail(f"{len(body)} bytes of tensors, their entries say {end}")
    print(f"{len(entries)} tensors, every byte is right")


if __name__ == "__main__":
    main(sys.argv[1])
