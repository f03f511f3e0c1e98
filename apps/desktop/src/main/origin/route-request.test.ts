import { describe, expect, test } from 'vitest';
import { routeRequest, type Route } from './route-request.ts';

const rules = {
  pageOrigin: 'https://chat.example.org',
  mediaOrigins: ['https://cdn.example'],
  hasAsset: (path: string) => path === '/assets/app-1a2b.js' || path === '/index.html',
};
const HTML = 'text/html,application/xhtml+xml,*/*;q=0.8';

function route(url: string, method = 'GET', accept = '*/*'): Route {
  return routeRequest({ url: new URL(url, rules.pageOrigin).href, method, accept }, rules);
}
const refused = (status: number) => ({ kind: 'refuse', status });

describe("a request to the page's own origin", () => {
  test.each(['/api/users/current', '/api', '/media/x.png', '/socket.io/?EIO=4'])(
    'is forwarded to the server if its path is %s',
    (path) => expect(route(path)).toEqual({ kind: 'forward' }),
  );

  test.each(['POST', 'PATCH', 'DELETE', 'PUT'])(
    'is forwarded to the server only below /api if its method is %s',
    (method) => {
      expect(route('/api/messages/send', method)).toEqual({ kind: 'forward' });
      expect(route('/chatarea', method)).toEqual(refused(405));
    },
  );

  test.each(['/', '/chatarea', '/chatarea/chats/1', '/apix', '/media.html', '/mediation/'])(
    'gets the document for the screen %s',
    (path) => expect(route(path, 'GET', HTML)).toEqual({ kind: 'document' }),
  );

  test('gets the file of the bundle, and 404 instead of the document if the file is missing', () => {
    expect(route('/assets/app-1a2b.js')).toEqual({ kind: 'asset' });
    expect(route('/assets/app-gone.js')).toEqual(refused(404));
  });

  test('never gets a document for an upload', () => {
    expect(route('/media/x.svg', 'GET', HTML)).toEqual(refused(403));
    expect(route('/api/avatars/x.svg', 'GET', HTML)).toEqual(refused(403));
  });
});

describe('a request with path traversal', () => {
  test.each([
    ['/assets/../api/users/current', { kind: 'forward' }],
    ['/api/../../etc/passwd', refused(404)],
    ['/%2e%2e/%2e%2e/etc/passwd', refused(404)],
    ['/assets/%2e%2e%2fapp-1a2b.js', refused(404)],
    ['/assets\\app-1a2b.js', { kind: 'asset' }],
    ['//chat.example.org/api', { kind: 'forward' }],
    ['/assets/app-1a2b.js%00', refused(404)],
    ['/API/users/current', refused(404)],
  ])('stays inside the bundle for %s', (path, expected) => expect(route(path)).toEqual(expected));
});

describe('a request to another origin', () => {
  test.each([
    'http://chat.example.org/api/config',
    'https://chat.example.org:8443/api/config',
    'https://chat.example.org.evil.example/api',
    'https://evil.example/',
    'https://chat.example.org@evil.example/api',
  ])('is refused for %s', (url) => expect(route(url)).toEqual(refused(403)));

  test('may only read from a configured media host', () => {
    expect(route('https://cdn.example/a.png')).toEqual({ kind: 'media' });
    expect(route('https://cdn.example/a.png', 'POST')).toEqual(refused(403));
    expect(route('http://cdn.example/a.png')).toEqual(refused(403));
  });

  test('is refused if its address is invalid', () => {
    expect(routeRequest({ url: 'no address', method: 'GET', accept: '' }, rules)).toEqual(
      refused(403),
    );
  });
});
