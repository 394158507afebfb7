/** The size of a JSON value as a protobuf `Struct`, the format between engine and provider. */

/** Bytes of a `google.protobuf.Value` (struct.proto). Undefined properties aren't sent. */
export function structBytes(value: unknown): number {
  if (typeof value === "number") return 9;
  if (typeof value === "boolean" || value === null || value === undefined) return 2;
  if (typeof value === "string") return field(Buffer.byteLength(value));
  if (Array.isArray(value))
    return field(value.reduce((sum: number, part) => sum + field(structBytes(part)), 0));
  const entries = Object.entries(value).filter(([, part]) => part !== undefined);
  return field(
    entries.reduce(
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
