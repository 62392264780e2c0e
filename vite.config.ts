import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const API = 'http://127.0.0.1:4173';

/** The page: `web/` in, `dist/web` out. In development the API is the server's own port. */
export default defineConfig({
  root: resolve(import.meta.dirname, 'web'),
  plugins: [react()],
  resolve: {
    alias: { 'zod-to-json-schema': resolve(import.meta.dirname, 'web/src/a2ui/no-json-schema.ts') },
  },
  build: {
    outDir: resolve(import.meta.dirname, 'dist/web'),
    emptyOutDir: true,
    target: 'es2022',
    // A data: font or image would need a wider content security policy than the page has.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      treeshake: {
        // The renderer's package builds a whole catalog of its own when it is loaded. These calls only make objects, so
        // what is made and not used can be left out: 16 KB gzip.
        manualPureFunctions: [
          'createComponentImplementation',
          'createFunctionImplementation',
          'Catalog',
          'createContext',
        ],
      },
    },
  },
  server: {
    port: 5173,
    // The server answers only its own page, so what the proxy passes on names the server's own origin.
    proxy: { '/api': { target: API, changeOrigin: true, headers: { origin: API } } },
  },
});
