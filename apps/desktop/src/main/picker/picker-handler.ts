import type { Assets } from '../origin/assets.ts';

/** Scheme of the server picker, which no server can use. */
export const PICKER_SCHEME = 'parley-picker';
/** Origin of the server picker. */
export const PICKER_ORIGIN = `${PICKER_SCHEME}://app`;

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** Creates the handler that serves the bundled files of the server picker with a strict policy. */
export function createPickerHandler(assets: Assets) {
  return async function handle({ url, method }: Request): Promise<Response> {
    const target = URL.parse(url);
    const isOwn = target?.protocol === `${PICKER_SCHEME}:` && target.host === 'app';
    const asset = isOwn && method === 'GET' ? await assets.read(target.pathname) : undefined;
    if (asset === undefined) return new Response(null, { status: 404 });
    return new Response(asset.body, {
      headers: {
        'content-type': asset.type,
        'content-security-policy': POLICY,
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-cache',
      },
    });
  };
}
