import type { Config } from '../config.ts';
import type { App } from '../context.ts';

type UrlTemplates = Pick<Config, 'avatarUrl' | 'emojiUrl' | 'mediaUrl'>;

// Half a year.
const HSTS = 'max-age=15552000';

const DEFAULT_HEADERS = {
  // If a browser displays a response as a document, that document can neither load nor run
  // anything.
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'permissions-policy':
    'microphone=(self), camera=(), geolocation=(), display-capture=(), payment=(), usb=(), serial=(), midi=()',
  // Responses may be private to a user, so routes must permit caching explicitly.
  'cache-control': 'no-store',
};

/** Adds the strictest headers to every response. Routes override them where needed. */
export function registerSecurityHeaders(app: App): void {
  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers(DEFAULT_HEADERS);
    // Browsers ignore this header over HTTP.
    if (request.protocol === 'https') void reply.header('strict-transport-security', HSTS);
    done();
  });
}

/** Returns the headers of the web client's files, which permit what its pages need. */
export function createClientHeaders(templates: UrlTemplates): Record<string, string> {
  return { ...DEFAULT_HEADERS, 'content-security-policy': createClientPolicy(templates) };
}

function createClientPolicy({ avatarUrl, emojiUrl, mediaUrl }: UrlTemplates): string {
  const avatars = listOrigins(avatarUrl);
  const emoji = listOrigins(emojiUrl);
  const media = listOrigins(mediaUrl);
  return serializePolicy({
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    // The emoji picker injects styles by script.
    'style-src': ["'self'", "'unsafe-inline'"],
    'img-src': ["'self'", 'data:', 'blob:', ...avatars, ...emoji, ...media],
    'media-src': ["'self'", 'blob:', ...media],
    // The client fetches images of another origin to find out which are long animations.
    'connect-src': ["'self'", ...media],
    'font-src': ["'self'"],
    'manifest-src': ["'self'"],
    'worker-src': ["'self'"],
    'frame-ancestors': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
  });
}

function serializePolicy(directives: Record<string, readonly string[]>): string {
  return Object.entries(directives)
    .map(([name, sources]) => [name, ...new Set(sources)].join(' '))
    .join('; ');
}

/** Returns the origin of a URL template, or an empty list if there is none. */
function listOrigins(template: string | undefined): string[] {
  const url =
    template === undefined ? null : URL.parse(template.replaceAll(/\{(name|style|code)\}/g, '$1'));
  return url === null ? [] : [url.origin];
}
