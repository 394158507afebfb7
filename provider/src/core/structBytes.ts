/** The size of a JSON value as a protobuf `Struct`, as which the engine and a provider exchange it. */

/** Bytes of a `google.protobuf.Value` (struct.proto). */
export function structBytes(value: unknown): number {
  if (typeof value === "number") return 9;
  if (typeof value === "boolean" || value === null || value === undefined) return 2;
  if (typeof value === "string") return field(Buffer.byteLength(value));
  if (Array.isArray(value))
    return field(value.reduce((sum: number, part) => sum + field(structBytes(part)), 0));
  return field(
    Object.entries(value).reduce(
      (sum, [key, part]) => sum + field(field(Buffer.byteLength(key)) + field(structBytes(part))),
      0,
    ),
  );
}

/** A tag, the length as a varint, and the content. */
function field(length: number): number {
  const varint = Math.max(1, Math.ceil((32 - Math.clz32(length)) / 7));
  return 1 + varint + length;
}
