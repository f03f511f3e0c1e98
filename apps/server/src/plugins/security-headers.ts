import type { Config } from '../config.ts';
import type { App } from '../context.ts';

type Hosts = Pick<Config, 'avatarUrl' | 'emojiUrl' | 'mediaUrl'>;

/** Half a year, in seconds. */
const HSTS = 'max-age=15552000';

const ALWAYS = {
  // What is no document of the client may do nothing at all where a browser shows it as one.
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'permissions-policy':
    'microphone=(self), camera=(), geolocation=(), display-capture=(), payment=(), usb=(), serial=(), midi=()',
  // Answers are one person's own, unless a route knows better.
  'cache-control': 'no-store',
};

/** Gives every answer the strictest headers; routes loosen what they need. */
export function registerSecurityHeaders(app: App): void {
  app.addHook('onRequest', async (request, reply) => {
    void reply.headers(ALWAYS);
    // Over plain http browsers ignore it, and a local trial must not pin its host to https.
    if (request.protocol === 'https') void reply.header('strict-transport-security', HSTS);
  });
}

/** Returns the headers of the web client's files. They say what its pages may do. */
export function createClientHeaders(hosts: Hosts): Record<string, string> {
  return { ...ALWAYS, 'content-security-policy': createClientPolicy(hosts) };
}

function createClientPolicy({ avatarUrl, emojiUrl, mediaUrl }: Hosts): string {
  const avatars = originOf(avatarUrl);
  const emoji = originOf(emojiUrl);
  const media = originOf(mediaUrl);
  return policy({
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    // The emoji picker and the toasts bring their styles along in a script.
    'style-src': ["'self'", "'unsafe-inline'"],
    'img-src': ["'self'", 'data:', 'blob:', ...avatars, ...emoji, ...media],
    'media-src': ["'self'", 'blob:', ...media],
    // The player reads a recording to draw its waveform.
    'connect-src': ["'self'", ...media],
    'font-src': ["'self'"],
    'manifest-src': ["'self'"],
    'worker-src': ["'self'"],
    'frame-ancestors': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
  });
}

/** Writes a content security policy. */
function policy(directives: Record<string, readonly string[]>): string {
  return Object.entries(directives)
    .map(([name, sources]) => [name, ...new Set(sources)].join(' '))
    .join('; ');
}

function originOf(template: string | undefined): string[] {
  const url =
    template === undefined ? null : URL.parse(template.replaceAll(/\{(name|style|code)\}/g, '$1'));
  return url === null ? [] : [url.origin];
}
