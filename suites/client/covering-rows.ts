/** Values of each factor, a prime. */
const values = 5;

/**
 * The rows of an orthogonal array that belong to one operation: which value each factor takes in each of five calls. Each
 * operation meets each value of each factor once, and any two values of two factors meet at one of 25 operations in a row,
 * as Bose's construction has it: in row r of operation (i, j), factor (a, b) takes the value r + a·i + b·j modulo 5.
 */
export function coveringRows(operation: number, factors: number): ReadonlyArray<readonly number[]> {
  const i = operation % values;
  const j = Math.floor(operation / values) % values;
  return Array.from({ length: values }, (_, row) =>
    Array.from({ length: factors }, (_, factor) => {
      const a = factor % values;
      const b = Math.floor(factor / values) % values;
      return (row + a * i + b * j) % values;
    }),
  );
}
