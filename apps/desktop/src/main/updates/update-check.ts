import { isNewer } from './version.ts';

/** What asking for a new version came to. */
export type UpdateResult =
  | { kind: 'newer'; version: string; /** Where a person gets it. */ page: string }
  | { kind: 'newest' }
  | { kind: 'failed' };

interface UpdateDeps {
  /** Folder of the feed: where the installers lie, with the files that electron-builder writes beside them. */
  feed: string;
  platform: NodeJS.Platform;
  currentVersion: string;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
}

/** Milliseconds. */
const TIMEOUT_MS = 20_000;
const MAX_LENGTH = 100_000;
const FILES: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'latest-mac.yml',
  linux: 'latest-linux.yml',
};

/**
 * Asks the feed which version is the newest. Tells, and downloads nothing: what is installed changes only
 * by the person's own hand. Never rejects.
 */
export async function checkForUpdate(deps: UpdateDeps): Promise<UpdateResult> {
  const base = URL.parse(deps.feed.replace(/\/*$/, '/'));
  if (base?.protocol !== 'https:') return { kind: 'failed' };
  try {
    const answer = await deps.fetch(new URL(FILES[deps.platform] ?? 'latest.yml', base).href, {
      credentials: 'omit',
      cache: 'no-store',
      redirect: 'follow',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const version = answer.ok ? versionIn(await answer.text()) : undefined;
    if (version === undefined) return { kind: 'failed' };
    return isNewer(version, deps.currentVersion)
      ? { kind: 'newer', version, page: base.href }
      : { kind: 'newest' };
  } catch {
    return { kind: 'failed' };
  }
}

function versionIn(text: string): string | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  return /^version:\s*['"]?(v?\d+\.\d+\.\d+[\w.+-]*)['"]?\s*$/m.exec(text)?.[1];
}
