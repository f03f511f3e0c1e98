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

describe('the own origin', () => {
  test.each(['/api/users/current', '/api', '/media/x.png', '/socket.io/?EIO=4'])(
    '%s goes to the server',
    (path) => expect(route(path)).toEqual({ kind: 'forward' }),
  );

  test.each(['POST', 'PATCH', 'DELETE', 'PUT'])('%s goes to the server below /api', (method) => {
    expect(route('/api/messages/send', method)).toEqual({ kind: 'forward' });
    expect(route('/chatarea', method)).toEqual(refused(405));
  });

  test.each(['/', '/chatarea', '/chatarea/chats/1', '/apix', '/media.html', '/mediation/'])(
    '%s is a screen',
    (path) => expect(route(path, 'GET', HTML)).toEqual({ kind: 'document' }),
  );

  test('a file of the bundle is given, one that is not there is never the page', () => {
    expect(route('/assets/app-1a2b.js')).toEqual({ kind: 'asset' });
    expect(route('/assets/app-gone.js')).toEqual(refused(404));
  });

  test('what people uploaded is never a document', () => {
    expect(route('/media/x.svg', 'GET', HTML)).toEqual(refused(403));
    expect(route('/api/avatars/x.svg', 'GET', HTML)).toEqual(refused(403));
  });
});

describe('path tricks', () => {
  test.each([
    ['/assets/../api/users/current', { kind: 'forward' }],
    ['/api/../../etc/passwd', refused(404)],
    ['/%2e%2e/%2e%2e/etc/passwd', refused(404)],
    ['/assets/%2e%2e%2fapp-1a2b.js', refused(404)],
    ['/assets\\app-1a2b.js', { kind: 'asset' }],
    ['//chat.example.org/api', { kind: 'forward' }],
    ['/assets/app-1a2b.js%00', refused(404)],
    ['/API/users/current', refused(404)],
  ])('%s', (path, expected) => expect(route(path)).toEqual(expected));
});

describe('other origins', () => {
  test.each([
    'http://chat.example.org/api/config',
    'https://chat.example.org:8443/api/config',
    'https://chat.example.org.evil.example/api',
    'https://evil.example/',
    'https://chat.example.org@evil.example/api',
  ])('%s is refused', (url) => expect(route(url)).toEqual(refused(403)));

  test('media of the configured host may be read, and nothing else done', () => {
    expect(route('https://cdn.example/a.png')).toEqual({ kind: 'media' });
    expect(route('https://cdn.example/a.png', 'POST')).toEqual(refused(403));
    expect(route('http://cdn.example/a.png')).toEqual(refused(403));
  });

  test('an address that is none is refused', () => {
    expect(routeRequest({ url: 'no address', method: 'GET', accept: '' }, rules)).toEqual(
      refused(403),
    );
  });
});
