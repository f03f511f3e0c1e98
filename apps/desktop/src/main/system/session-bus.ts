import { execFile } from 'node:child_process';

/** A property of a service on the session bus of a Linux desktop. */
export interface BusProperty {
  service: string;
  path: string;
  interface: string;
  name: string;
}

/** Milliseconds. A desktop that takes longer counts as not responding. */
const TIMEOUT_MS = 1_500;

/**
 * Reads a boolean property with the tools of GLib or systemd. Resolves to `undefined` if the service, the
 * property, the bus or both tools are missing. Never rejects.
 */
export async function readBusFlag(property: BusProperty): Promise<boolean | undefined> {
  const { service, path, interface: interfaceName, name } = property;
  const get = 'org.freedesktop.DBus.Properties.Get';
  const target = ['--dest', service, '--object-path', path, '--method', get];
  const text =
    (await run('gdbus', ['call', '--session', ...target, interfaceName, name])) ??
    (await run('busctl', ['--user', 'get-property', service, path, interfaceName, name]));
  return parseFlag(text);
}

/** Reads a boolean GNOME setting. Resolves to `undefined` if it does not exist. Never rejects. */
export async function readDesktopFlag(schema: string, key: string): Promise<boolean | undefined> {
  return parseFlag(await run('gsettings', ['get', schema, key]));
}

/** Parses `(<true>,)`, `b true` and `true`. */
function parseFlag(text: string | undefined): boolean | undefined {
  const value = text === undefined ? undefined : /\b(true|false)\b/.exec(text)?.[1];
  return value === undefined ? undefined : value === 'true';
}

function run(file: string, args: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(file, args, { timeout: TIMEOUT_MS, encoding: 'utf8' }, (error, output) => {
      resolve(error === null ? output : undefined);
    });
  });
}
