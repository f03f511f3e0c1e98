import { randomUUID } from 'node:crypto';
import { expect, type Page } from 'playwright/test';
import type { HostedServer } from '@parley/testing';
import { createTranslator, type TestLanguage } from './texts.ts';

interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** A user with their own browser. */
export interface BrowserUser extends Credentials {
  readonly page: Page;
  readonly username: string;
}

/** Returns the data of a user who is not registered yet. */
export function createBrowserUser(page: Page, username: string): BrowserUser {
  return { page, username, ...createCredentials(username) };
}

/** Returns the email address and the password of a test's user. */
export function createCredentials(username: string): Credentials {
  return { email: `${username.toLowerCase()}@example.org`, password: 'correct horse' };
}

/** Registers a user, verifies with the emailed key and logs in, all with the forms. Ends in the chat list. */
export async function signUpWithForms(
  page: Page,
  server: HostedServer,
  username: string,
  language: TestLanguage = 'en',
): Promise<BrowserUser> {
  const user = createBrowserUser(page, username);
  await submitRegistration(user, language);
  await page.waitForURL('**/register/verify');
  await submitVerification(user, await server.keyFor(user.email), language);
  await page.waitForURL((url) => url.pathname === '/');
  await logIn(user, language);
  return user;
}

/** Fills in and submits the registration form. Resolves once it has succeeded. */
async function submitRegistration(user: BrowserUser, language: TestLanguage = 'en'): Promise<void> {
  const { page } = user;
  const t = createTranslator(language);
  await page.goto('/register');
  await page.getByLabel(t('field.email'), { exact: true }).fill(user.email);
  await page.getByLabel(t('field.username'), { exact: true }).fill(user.username);
  await page.getByLabel(t('field.password'), { exact: true }).fill(user.password);
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: t('register.submit'), exact: true }).click();
  await expect(page.getByText(t('register.success'))).toBeVisible();
}

/** Fills in and submits the verification form. Resolves once it has succeeded. */
async function submitVerification(
  user: BrowserUser,
  key: string,
  language: TestLanguage = 'en',
): Promise<void> {
  const { page } = user;
  const t = createTranslator(language);
  await page.getByLabel(t('field.email'), { exact: true }).fill(user.email);
  await page.getByLabel(t('verify.key'), { exact: true }).fill(key);
  await page.getByRole('button', { name: t('verify.submit'), exact: true }).click();
  await expect(page.getByText(t('verify.success'))).toBeVisible();
}

/** Logs in with the form. Ends in the chat list. */
export async function logIn(user: BrowserUser, language: TestLanguage = 'en'): Promise<void> {
  const { page } = user;
  const t = createTranslator(language);
  await submitLogin(page, user.email, user.password, language);
  await expect(page.getByText(t('login.success'))).toBeVisible();
  await page.waitForURL('**/chatarea');
  rememberPage(page, new URL(page.url()).origin, user.username);
}

/** Fills in and submits the login form. */
export async function submitLogin(
  page: Page,
  email: string,
  password: string,
  language: TestLanguage = 'en',
): Promise<void> {
  const t = createTranslator(language);
  await page.getByLabel(t('field.email'), { exact: true }).fill(email);
  await page.getByLabel(t('field.password'), { exact: true }).fill(password);
  await page.getByRole('button', { name: t('login.submit'), exact: true }).click();
}

/**
 * Creates a verified account over HTTP and signs the page's browser in, for tests of features other than the forms.
 * Ends in the chat list.
 */
export async function signUpOverHttp(
  page: Page,
  server: HostedServer,
  username: string,
  language: TestLanguage = 'en',
): Promise<BrowserUser> {
  const user = await signInOverHttp(page, server, username, language);
  await page.goto('/chatarea');
  return user;
}

/**
 * Creates a verified account over HTTP and signs the page's browser in, without opening anything. Each screen that a
 * test opens without need costs about a second.
 */
export async function signInOverHttp(
  page: Page,
  server: HostedServer,
  username: string,
  language: TestLanguage = 'en',
): Promise<BrowserUser> {
  const user = createBrowserUser(page, username);
  if (server.addUser) {
    const { email, password } = user;
    const cookie = await server.addUser({ username, email, password, language });
    const [name = '', value = ''] = cookie.split('=', 2);
    const attributes = { httpOnly: true, sameSite: 'Lax' } as const;
    await page.context().addCookies([{ name, value, url: server.url, ...attributes }]);
  } else {
    const credentials = await registerOverHttp(server, username, language);
    const response = await page.request.post('/api/users/login', { data: credentials });
    expect(response.ok(), `the login responded with ${response.status()}`).toBe(true);
  }
  rememberPage(page, server.url, username);
  return user;
}

/** Creates a verified account over HTTP, for users who need no browser. Returns its credentials. */
export async function registerOverHttp(
  server: HostedServer,
  username: string,
  language: TestLanguage = 'en',
): Promise<Credentials> {
  const { email, password } = createCredentials(username);
  if (server.addUser) {
    await server.addUser({ username, email, password, language });
    return { email, password };
  }
  const post = async (path: string, data: object) => {
    const response = await fetch(server.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(data),
    });
    expect(response.ok, `${path} responded with ${response.status}`).toBe(true);
  };
  await post('/api/users/register', { email, username, password, language });
  await post('/api/users/register/verify', { email, key: await server.keyFor(email) });
  return { email, password };
}

/** Signs a user in on another device, a page of a new browser context. Ends in the chat list. */
export async function signInElsewhere(page: Page, user: BrowserUser): Promise<Page> {
  const { email, password } = user;
  const response = await page.request.post('/api/users/login', { data: { email, password } });
  expect(response.status()).toBe(200);
  await page.goto('/chatarea');
  return page;
}

/** The pages of signed-in users by the server's origin and the name. */
const signedInPages = new Map<string, Page>();
/** The origin of the server of each of these pages. */
const origins = new WeakMap<Page, string>();

function rememberPage(page: Page, origin: string, username: string): void {
  origins.set(page, origin);
  signedInPages.set(`${origin} ${username.toLowerCase()}`, page);
}

/**
 * Accepts a chat over HTTP as the partner of the page's user, so that it is no message request. Does nothing if no
 * page of the partner is known.
 */
export async function acceptAsPartner(
  page: Page,
  partnerName: string,
  chatroomId: string,
): Promise<void> {
  const partner = signedInPages.get(`${origins.get(page)} ${partnerName.toLowerCase()}`);
  if (!partner || partner.isClosed()) return;
  const response = await partner.request.post(`/api/chatrooms/chats/${chatroomId}/accept`);
  expect(response.status()).toBe(200);
}

/** Makes first messages quiet requests for the partner of the page's user. */
export async function receiveRequestsAsPartner(page: Page, partnerName: string): Promise<void> {
  const partner = signedInPages.get(`${origins.get(page)} ${partnerName.toLowerCase()}`);
  const data = { whoMayWrite: 'requests' };
  const response = await partner?.request.patch('/api/users/settings', { data });
  expect(response?.status()).toBe(200);
}

/** The chatrooms of each page's user by the partner's name. */
const knownChatrooms = new WeakMap<Page, Map<string, string>>();

/**
 * Sends a message over HTTP as the page's user. Creates the chatroom if necessary, and the partner accepts it
 * unless it is to stay a quiet request or undecided. Returns the chatroom's id.
 */
export async function sendOverHttp(
  page: Page,
  partnerName: string,
  content: string,
  { isRequest = false, isUndecided = false } = {},
): Promise<string> {
  const known = knownChatrooms.get(page) ?? new Map<string, string>();
  knownChatrooms.set(page, known);
  const chatroom = known.get(partnerName);
  if (isRequest) await receiveRequestsAsPartner(page, partnerName);
  const clientId = randomUUID();
  // Creating a chatroom looks up the partner, which has a far lower rate limit than sending.
  const response = await (chatroom === undefined
    ? page.request.post('/api/chatrooms/create', { data: { partnerName, content, clientId } })
    : page.request.post('/api/messages/send', { data: { chatroom, content, clientId } }));
  expect(response.status()).toBe(201);
  if (chatroom !== undefined) return chatroom;
  const { chatroomId } = (await response.json()) as { chatroomId: string };
  known.set(partnerName, chatroomId);
  if (!isRequest && !isUndecided) await acceptAsPartner(page, partnerName, chatroomId);
  return chatroomId;
}
