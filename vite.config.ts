import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const API = 'http://127.0.0.1:4173';

/** The gallery of cards has an address in development only: a build starts from `index.html` alone and never reaches it. */
const gallery: Plugin = {
  name: 'looplight-gallery',
  apply: 'serve',
  configureServer(server) {
    server.middlewares.use((request, _response, next) => {
      if (request.url !== undefined && /^\/gallery(?:\?|$)/.test(request.url))
        request.url = request.url.replace('/gallery', '/gallery.html');
      next();
    });
  },
};

/** The page: `web/` in, `dist/web` out. In development the API is the server's own port. */
export default defineConfig({
  root: resolve(import.meta.dirname, 'web'),
  plugins: [react(), gallery],
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
