import { defineConfig } from 'vitest/config';
import { MAX_WORKERS, TIMEOUTS } from './src/test-scope.ts';

export default defineConfig({ test: { maxWorkers: MAX_WORKERS, ...TIMEOUTS } });
