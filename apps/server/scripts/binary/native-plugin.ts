import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import type { Plugin } from 'rolldown';

const require = createRequire(import.meta.url);
const RUNTIME = join(import.meta.dirname, '../../src/single-binary');
const ADDON = '\0addon:';
const ARGON2 = '\0argon2-binding.cjs';

/**
 * Makes packages with native code load it from inside the binary. Adds the files to `assets` under the
 * names by which the binary finds them.
 */
export function nativePlugin(target: string, assets: Record<string, string>): Plugin {
  return {
    name: 'single-binary-native',
    resolveId(id, importer = '') {
      if (id === 'better-sqlite3') return require.resolve(`better-sqlite3/${target}`);
      if (id === 'node-gyp-build') return ARGON2;
      if (!id.endsWith('.node')) return null;
      const key = `native/${basename(id)}`;
      assets[key] = resolve(dirname(importer), id);
      return `${ADDON}${key}.cjs`;
    },
    load(id) {
      if (id === ARGON2) {
        return `module.exports = () => require(${quote(join(RUNTIME, 'argon2-binding.ts'))});`;
      }
      if (!id.startsWith(ADDON)) return null;
      const key = id.slice(ADDON.length, -'.cjs'.length);
      const loader = quote(join(RUNTIME, 'load-addon.ts'));
      return `module.exports = require(${loader}).loadAddon(${quote(key)});`;
    },
  };
}

function quote(text: string): string {
  return JSON.stringify(text);
}
