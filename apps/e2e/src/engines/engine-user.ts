import { randomUUID } from 'node:crypto';
import { expect } from 'playwright/test';
import type { HostedServer } from '@parley/testing';
import { createTranslator } from '../support/texts.ts';
import type { EnginePage, ElementTarget } from './engine-page.ts';

const t = createTranslator('en');
const PASSWORD = 'correct horse';
const WAIT_MS = 30_000;

/** A user with their own browser. */
export type EngineUser = ReturnType<typeof createEngineUser>;

export const buttonTarget = (name: string): ElementTarget => ({ selector: 'button', name });
export const fieldTarget = (name: string): ElementTarget => ({ selector: 'input', name });
export const messageTarget = (text: string): ElementTarget => ({
  selector: '[data-message]',
  name: text,
  isPartial: true,
  isLast: true,
});
export const chatRowTarget = (partner: string): ElementTarget => ({
  selector: '[data-chat]',
  name: partner,
  isPartial: true,
});

/** Adds the actions of a user in Parley to a page. Every action waits for the elements it needs. */
export function createEngineUser(page: EnginePage, server: HostedServer, username: string) {
  const email = emailOf(username);

  /** Waits until the element is visible. */
  async function waitForVisible(target: ElementTarget): Promise<void> {
    await expect
      .poll(async () => await page.isVisible(target), {
        message: `${username} sees ${JSON.stringify(target)}`,
        timeout: WAIT_MS,
      })
      .toBe(true);
  }

  async function click(target: ElementTarget): Promise<void> {
    await waitForVisible(target);
    // An element that is still moving may be covered for a moment.
    await expect(async () => await page.click(target)).toPass({ timeout: WAIT_MS });
  }

  async function typeInto(target: ElementTarget, text: string): Promise<void> {
    await click(target);
    await page.type(text);
  }

  /** Waits until the path of the address matches. */
  async function waitForPath(path: string | RegExp): Promise<void> {
    const current = async () => await page.evaluate(() => location.pathname, undefined);
    await expect.poll(current, { timeout: WAIT_MS }).toMatch(path);
  }

  return {
    page,
    username,
    waitForVisible,
    click,
    typeInto,
    waitForPath,

    async open(path: string): Promise<void> {
      await page.goto(server.url + path);
    },

    /** Registers, verifies and logs in through the forms. Ends in the chat list. */
    async register(): Promise<void> {
      await page.goto(`${server.url}/register`);
      await typeInto(fieldTarget(t('field.email')), email);
      await typeInto(fieldTarget(t('field.username')), username);
      await typeInto(fieldTarget(t('field.password')), PASSWORD);
      await click({ selector: '[role=checkbox]' });
      await click(buttonTarget(t('register.submit')));
      await waitForPath(/^\/register\/verify$/);
      await typeInto(fieldTarget(t('verify.key')), await server.keyFor(email));
      await click(buttonTarget(t('verify.submit')));
      await waitForPath(/^\/$/);
      await typeInto(fieldTarget(t('field.password')), PASSWORD);
      await page.press('Enter');
      await waitForPath(/^\/chatarea$/);
    },

    /** Creates the account over HTTP and signs the browser in, for tests of features other than the forms. */
    async signIn(): Promise<void> {
      const account = { email, username, password: PASSWORD, language: 'en' };
      await post(`${server.url}/api/users/register`, account);
      const key = await server.keyFor(email);
      await post(`${server.url}/api/users/register/verify`, { email, key });
      await page.goto(`${server.url}/about-us`);
      await expect(async () => {
        const status = await page.evaluate(logInFromPage, { email, password: PASSWORD });
        expect(status).toBe(200);
      }).toPass({ timeout: WAIT_MS });
      await page.goto(`${server.url}/chatarea`);
    },

    /** Creates a chatroom over HTTP with a first message, which the partner accepts, and opens it. */
    async openChatWith(partnerName: string, content: string): Promise<void> {
      const body = { partnerName, content, clientId: randomUUID() };
      const cookie = await logInOverHttp(server, username);
      const response = await post(`${server.url}/api/chatrooms/create`, body, cookie);
      const { chatroomId } = (await response.json()) as { chatroomId: string };
      const acceptUrl = `${server.url}/api/chatrooms/chats/${chatroomId}/accept`;
      await post(acceptUrl, {}, await logInOverHttp(server, partnerName));
      await page.goto(`${server.url}/chatarea/chats/${chatroomId}`);
      await waitForVisible(messageTarget(content));
    },

    /** Types a text into the composer and sends it with Enter. */
    async send(text: string): Promise<void> {
      await typeInto({ selector: 'textarea' }, text);
      await page.press('Enter');
      await waitForVisible(messageTarget(text));
    },
  };
}

function emailOf(username: string): string {
  return `${username.toLowerCase()}@example.org`;
}

/** Logs a user in over HTTP. Resolves to the session's cookies. */
async function logInOverHttp(server: HostedServer, username: string): Promise<string> {
  const body = { email: emailOf(username), password: PASSWORD };
  const response = await post(`${server.url}/api/users/login`, body);
  return response.headers
    .getSetCookie()
    .map((each) => each.split(';')[0] ?? '')
    .join('; ');
}

async function post(url: string, data: object, cookie = ''): Promise<Response> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify(data),
  });
  expect(response.ok, `${url} responded with ${response.status}`).toBe(true);
  return response;
}

// Runs in the page, so it must not use variables of this module.
async function logInFromPage(body: object): Promise<number> {
  const response = await fetch('/api/users/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return response.status;
}
