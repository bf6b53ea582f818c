"""Reads the weights of an 8-bit ONNX file of BERT back into a safetensors file with upstream's names.

An ONNX file is a protocol buffer, of which three messages matter here: the model's graph, the graph's nodes and
its initialisers. Dynamic quantisation, as onnxruntime does it, leaves vectors as f32 and turns every matrix into
bytes with one scale and one zero point; a linear layer's matrix is stored as [inputs, outputs] under a number, and
only the name of the node that multiplies by it says which layer it is. Needs nothing but Python, and gives the same
bytes on every machine: a byte's value times the scale is rounded to f32 once.
"""

import array
import json
import struct
import sys

MODEL_GRAPH, GRAPH_NODE, GRAPH_INITIALISER = 7, 1, 5
NODE_INPUT, NODE_NAME, NODE_TYPE = 1, 3, 4
TENSOR_SHAPE, TENSOR_TYPE, TENSOR_FLOATS, TENSOR_INTEGERS, TENSOR_NAME, TENSOR_RAW = 1, 2, 4, 5, 8, 9
FLOAT, UINT8, INT8 = 1, 2, 3
BEHIND_A_NODE = ("/MatMul_quant", "/Gemm_MatMul_quant")


class OnnxError(ValueError):
    """The bytes are not such a file; the message says what was expected and what was found."""


def to_safetensors(model: bytes) -> bytes:
    """All weights of the model, dequantised, matrices as [outputs, inputs]."""
    try:
        graph = next(value for field, value in fields(memoryview(model)) if field == MODEL_GRAPH)
        parts = list(fields(graph))
        stored = [tensor(value) for field, value in parts if field == GRAPH_INITIALISER]
        nodes = [node(value) for field, value in parts if field == GRAPH_NODE]
        return write(weights({name: rest for name, *rest in stored}, nodes))
    except (IndexError, KeyError, StopIteration, struct.error) as error:
        raise OnnxError(f"expected an ONNX model in 8 bits, got {error!r} while reading it") from error


def fields(message: memoryview):
    """(number, value) of each field: an integer, or the bytes of whatever is longer."""
    at = 0
    while at < len(message):
        key, at = varint(message, at)
        number, wire = key >> 3, key & 7
        if wire == 0:
            value, at = varint(message, at)
        elif wire in (1, 2, 5):
            length, at = varint(message, at) if wire == 2 else ({1: 8, 5: 4}[wire], at)
            if at + length > len(message):
                raise OnnxError(f"expected {length} bytes in field {number}, got {len(message) - at}")
            value, at = message[at : at + length], at + length
        else:
            raise OnnxError(f"expected a protocol buffer, got wire type {wire} in field {number}")
        yield number, value


def varint(message: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = message[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def node(message: memoryview) -> tuple[str, str, list[str]]:
    """Type, name and inputs."""
    found = list(fields(message))
    text = {number: bytes(value).decode() for number, value in found if number in (NODE_NAME, NODE_TYPE)}
    inputs = [bytes(value).decode() for number, value in found if number == NODE_INPUT]
    return text.get(NODE_TYPE, ""), text.get(NODE_NAME, ""), inputs


def tensor(message: memoryview) -> tuple[str, list[int], int, memoryview]:
    """Name, shape, type and the bytes of the numbers."""
    name, shape, kind, data = "", [], 0, memoryview(b"")
    for number, value in fields(message):
        if number == TENSOR_NAME:
            name = bytes(value).decode()
        elif number == TENSOR_SHAPE:
            shape += [value] if isinstance(value, int) else packed(value)
        elif number == TENSOR_TYPE:
            kind = value
        elif number == TENSOR_INTEGERS:
            signs = [value] if isinstance(value, int) else packed(value)
            data = memoryview(bytes(sign & 255 for sign in signs))
        elif number in (TENSOR_RAW, TENSOR_FLOATS) and len(value) > 0:
            data = value
    return name, shape, kind, data


def packed(message: memoryview) -> list[int]:
    values, at = [], 0
    while at < len(message):
        value, at = varint(message, at)
        values.append(value)
    return values


def weights(stored: dict[str, list], nodes: list[tuple[str, str, list[str]]]) -> dict[str, tuple[list[int], bytes]]:
    """Shape and f32 bytes by upstream's names."""
    found = {}
    for name, (shape, kind, data) in stored.items():
        if kind == FLOAT and name.endswith((".weight", ".bias")):
            found[name] = shape, bytes(data)
        elif name.endswith("_embeddings.weight_quantized"):
            found[name.removesuffix("_quantized")] = shape, dequantised(stored, name.removesuffix("_quantized"))
    for kind, name, inputs in nodes:
        ending = next((ending for ending in BEHIND_A_NODE if name.endswith(ending)), None)
        if kind == "MatMulInteger" and ending:
            source = inputs[1].removesuffix("_quantized")
            (rows, columns), _, _ = stored[inputs[1]]
            turned = transposed(dequantised(stored, source), rows, columns)
            found[name.removesuffix(ending).strip("/").replace("/", ".") + ".weight"] = [columns, rows], turned
    return found


def dequantised(stored: dict[str, list], name: str) -> bytes:
    """(byte - zero point) * scale, as f32."""
    _, kind, data = stored[f"{name}_quantized"]
    (scale,) = struct.unpack("<f", stored[f"{name}_scale"][2])
    sign = "b" if kind == INT8 else "B"
    if kind not in (INT8, UINT8):
        raise OnnxError(f"{name}: expected 8-bit numbers, got numbers of type {kind}")
    (zero,) = struct.unpack(sign, stored[f"{name}_zero_point"][2])
    signed = (byte - 256 if kind == INT8 and byte > 127 else byte for byte in range(256))
    values = array.array("f", ((number - zero) * scale for number in signed))
    return little(array.array("f", map(values.__getitem__, data)))


def transposed(matrix: bytes, rows: int, columns: int) -> bytes:
    numbers = array.array("f", matrix)
    turned = array.array("f")
    for column in range(columns):
        turned.extend(numbers[column::columns])
    if len(turned) != rows * columns:
        raise OnnxError(f"expected {rows} x {columns} numbers, got {len(turned)}")
    return turned.tobytes()


def little(numbers: array.array) -> bytes:
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()


def write(tensors: dict[str, tuple[list[int], bytes]]) -> bytes:
    """A safetensors file: length of the header, header in JSON, numbers."""
    header, at = {}, 0
    for name in sorted(tensors):
        shape, data = tensors[name]
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [at, at + len(data)]}
        at += len(data)
    head = json.dumps(header, separators=(",", ":")).encode()
    head += b" " * (-len(head) % 8)
    return struct.pack("<Q", len(head)) + head + b"".join(tensors[name][1] for name in sorted(tensors))
