import { dts } from 'rollup-plugin-dts';

/** The types of what others import, bundled as the code is. */
export default {
  input: { index: 'api/index.ts', vitest: 'api/vitest.ts', checks: 'api/checks.ts' },
  output: { dir: 'dist/api', entryFileNames: '[name].d.ts', chunkFileNames: '[name].d.ts' },
  plugins: [dts({ tsconfig: 'tsconfig.json' })],
};
