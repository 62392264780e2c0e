import { defineConfig } from 'vite';

/** The server as one bundle of our own files; packages stay outside and are loaded from node_modules. */
export default defineConfig(({ mode }) => ({
  publicDir: false,
  build: {
    ssr: true,
    target: 'node20',
    outDir: mode === 'bench' || mode === 'eval' ? `dist/${mode}` : 'dist/server',
    emptyOutDir: true,
    minify: false,
    sourcemap: true,
    rollupOptions: {
      input: { main: mode === 'bench' || mode === 'eval' ? `${mode}/main.ts` : 'server/main.ts' },
      output: { format: 'es' as const },
    },
  },
  ssr: { target: 'node', noExternal: [] },
}));
