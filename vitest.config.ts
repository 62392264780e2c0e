import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      '{server,shared,web,bench,eval}/**/*.test.{ts,tsx}',
      'test/{integration,openai-server}/**/*.test.ts',
    ],
    testTimeout: 20_000,
    hookTimeout: 30_000,
    maxWorkers: 2,
    restoreMocks: true,
  },
});
