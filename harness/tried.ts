/** What a function makes of a value; undefined where it throws. */
export function tried<Value, Result>(read: (value: Value) => Result, value: Value): Result | undefined {
  try {
    return read(value);
  } catch {
    return undefined;
  }
}
