import { describe, expect, test } from 'vitest';
import {
  endpointNames,
  endpointPath,
  endpoints,
  findEndpoint,
  isServerPath,
  serverRoots,
} from './endpoints.ts';
import { endpointSchemas, type EndpointSchema } from './schemas/endpoints.schemas.ts';

/** The published endpoints, which existing clients rely on. Only additions are allowed. */
const PUBLISHED = {
  getConfig: 'GET /api/config guest',
  getDocs: 'GET /api/docs guest',
  getOpenApi: 'GET /api/docs/openapi.json guest',
  getDocsFile: 'GET /api/docs/:file guest',
  getAvatar: 'GET /api/avatars/:name guest',
  getEmoji: 'GET /api/emoji/:set/:file guest',
  register: 'POST /api/users/register guest',
  verify: 'POST /api/users/register/verify guest',
  resendKey: 'POST /api/users/register/resend guest',
  login: 'POST /api/users/login guest',
  logout: 'GET /api/users/logout guest',
  clearBrowserCache: 'POST /api/users/clear-cache guest',
  requestEmailChange: 'POST /api/users/email user',
  confirmEmailChange: 'POST /api/users/email/verify user',
  cancelEmailChange: 'DELETE /api/users/email user',
  restoreEmail: 'POST /api/users/email/restore guest',
  requestReset: 'PATCH /api/users/forgot-pw guest',
  resetPassword: 'PATCH /api/users/new-pw guest',
  changePassword: 'PATCH /api/users/update user',
  getCurrentUser: 'GET /api/users/current user',
  changeLanguage: 'PATCH /api/users/language user',
  changeVolume: 'PATCH /api/users/volume user',
  deleteAccount: 'DELETE /api/users/delete user',
  listSessions: 'GET /api/sessions user',
  endOtherSessions: 'DELETE /api/sessions user',
  endSession: 'DELETE /api/sessions/:id user',
  findUser: 'POST /api/chatrooms/exist user',
  createChatroom: 'POST /api/chatrooms/create user',
  listChats: 'GET /api/chatrooms/chats user',
  getChatroom: 'GET /api/chatrooms/chats/:id user',
  markAsRead: 'POST /api/chatrooms/chats/:id/mark-as-read user',
  listChanges: 'POST /api/chatrooms/changes user',
  sendMessage: 'POST /api/messages/send user',
  editMessage: 'PATCH /api/messages/edit user',
  deleteMessage: 'DELETE /api/messages/delete user',
  copyMedia: 'POST /api/media/copy user',
  uploadImage: 'POST /api/upload/image user',
  uploadAudio: 'POST /api/upload/audio user',
  getMedia: 'GET /media/:file user',
  connect: 'GET /socket.io/ user',
  getHealth: 'GET /healthz operator',
  getReadiness: 'GET /readyz operator',
  getMetrics: 'GET /metrics operator',
};

describe('the endpoint table', () => {
  test('contains all published endpoints', () => {
    const table = endpointNames().map((name) => {
      const { method, path, access } = endpoints[name];
      return [name, `${method} ${path} ${access}`];
    });
    expect(Object.fromEntries(table)).toMatchObject(PUBLISHED);
  });

  test('contains each method and path once', () => {
    const routes = endpointNames().map((name) => {
      const { method, path } = endpoints[name];
      return `${method} ${path.replaceAll(/:\w+/g, ':')}`;
    });
    expect(new Set(routes).size).toBe(routes.length);
  });

  test.each(endpointNames())('%s declares its path parameters and the implied errors', (name) => {
    const { method, access } = endpoints[name];
    const { errors, params, limit }: EndpointSchema = endpointSchemas[name];
    if (access === 'user') expect(errors).toContain('unauthenticated');
    else expect(errors).not.toContain('unauthenticated');
    if (limit !== undefined) expect(errors).toContain('rate_limited');
    if (method !== 'GET') expect(errors).toContain('foreign_origin');
    expect(Object.keys(parametersOf(params))).toEqual(namesIn(endpoints[name].path));
  });
});

function parametersOf(schema: unknown): object {
  const { properties = {} } = (schema ?? {}) as { properties?: object };
  return properties;
}

function namesIn(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
}

describe('endpoint paths', () => {
  test('contain their encoded parameters', () => {
    expect(endpointPath('getConfig')).toBe('/api/config');
    expect(endpointPath('markAsRead', { id: 'a/b?c#d é' })).toBe(
      '/api/chatrooms/chats/a%2Fb%3Fc%23d%20%C3%A9/mark-as-read',
    );
    expect(endpointPath('getEmoji', { set: 'twitter', file: '2764.svg' })).toBe(
      '/api/emoji/twitter/2764.svg',
    );
  });

  test.each([
    ['GET', '/api/chatrooms/chats', 'listChats'],
    ['GET', '/api/chatrooms/chats/42', 'getChatroom'],
    ['DELETE', '/api/sessions', 'endOtherSessions'],
    ['DELETE', '/api/sessions/42', 'endSession'],
    ['GET', '/api/docs/openapi.json', 'getOpenApi'],
    ['GET', '/api/docs/start.js', 'getDocsFile'],
    ['GET', '/socket.io/', 'connect'],
    ['POST', '/api/config', undefined],
    ['GET', '/api/chatrooms/chats/', undefined],
    ['GET', '/api/chatrooms/chats/42/more', undefined],
    ['GET', '/', undefined],
  ])('resolve %s %s to the endpoint %s', (method, path, name) => {
    expect(findEndpoint(method, path)).toBe(name);
  });

  test('belong to the server only below its roots', () => {
    expect(serverRoots()).toEqual(['/api', '/media', '/socket.io']);
    for (const path of ['/api', '/api/nothing', '/media/x.png', '/socket.io/']) {
      expect(isServerPath(path), path).toBe(true);
    }
    for (const path of ['/', '/apix', '/media.html', '/chatarea/api', '/healthz']) {
      expect(isServerPath(path), path).toBe(false);
    }
  });
});
