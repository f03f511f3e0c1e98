import type { SearchKind } from '@parley/contract';
import type { JSHandle, Locator, Page } from 'playwright';
import { messages, textBox } from '../../src/support/chat.ts';
import { chooseImages } from '../../src/support/media.ts';
import type { Translator } from '../../src/support/texts.ts';
import type { SampleData } from './sample-data.ts';

/** A screen in a certain state. */
export interface Scene {
  readonly name: string;
  readonly as: 'guest' | 'self' | 'newcomer' | 'requested';
  readonly path: (data: SampleData) => string;
  /** Sets up failing or hanging requests before the page is opened. */
  readonly arrange?: (page: Page) => Promise<unknown>;
  /** Brings the opened page into its state. */
  readonly act?: (page: Page, t: Translator, data: SampleData) => Promise<void>;
  /** Minimum width of the windows that show the scene. Pixels. */
  readonly minWidth?: number;
}

const clickButton = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).first().click();
const waitForText = (page: Page, text: string) => page.getByText(text).first().waitFor();
const leaveUnanswered = (glob: string) => (page: Page) => page.route(glob, () => undefined);
/** Shows exports in all states, or only one of a chat that can be downloaded. */
const showExports = (chatroom?: string) => (page: Page) => {
  const expiresAt = new Date(Date.now() + 20 * 60 * 60 * 1000).toISOString();
  const progress = { done: 420, total: 1_000, createdAt: new Date().toISOString() };
  const chat = { ...progress, chatroom: chatroom ?? 'other', partnerName: 'Robin' };
  const ready = { ...chat, id: '2', status: 'ready', size: 3_440_000, expiresAt };
  const exports = [
    { ...progress, id: '1', status: 'running' },
    ready,
    { ...progress, id: '3', status: 'failed', failure: 'storage_full', expiresAt },
  ];
  return page.route('**/api/exports', (route) =>
    route.fulfill({ json: { exports: chatroom === undefined ? exports : [ready] } }),
  );
};
const respondWithError = (glob: string, status: number) => (page: Page) =>
  page.route(glob, (route) =>
    route.fulfill({ status, json: { code: 'invalid_request', errorMessage: 'No.' } }),
  );
const room = (data: SampleData) => `/chatarea/chats/${data.rooms.friend}`;
const waitForMessages = (page: Page) => messages(page).last().waitFor();

/** Scrolls an element below the header of the screen. */
async function scrollToTop(element: Locator): Promise<void> {
  await element.evaluate((node) => {
    node.scrollIntoView();
    node.closest('main')?.scrollBy(0, -80);
  });
}

function lastOwn(page: Page): Locator {
  return page
    .locator('article')
    .filter({ has: page.locator('[data-message]') })
    .last();
}

async function actOnLastOwn(page: Page, name: string): Promise<void> {
  await lastOwn(page).hover();
  await lastOwn(page).getByRole('button', { name, exact: true }).click();
}

/** Records for a second. Resolves to the track of the microphone. */
async function record(page: Page, t: Translator): Promise<JSHandle<MediaStreamTrack | undefined>> {
  const stream = await page.evaluateHandle(() => {
    const { mediaDevices } = navigator;
    const open = mediaDevices.getUserMedia.bind(mediaDevices);
    const opened = Promise.withResolvers<MediaStream>();
    mediaDevices.getUserMedia = async (constraints) => {
      opened.resolve(open(constraints));
      return opened.promise;
    };
    return { opened: opened.promise };
  });
  await clickButton(page, t('composer.record'));
  await page
    .getByText(/^0:0[1-9]$/)
    .first()
    .waitFor();
  return await stream.evaluateHandle(async ({ opened }) => (await opened).getTracks()[0]);
}

function guest(name: string, path: string, act?: Scene['act']): Scene {
  return { name, as: 'guest', path: () => path, ...(act && { act }) };
}

function self(name: string, path: string, rest: Partial<Scene> = {}): Scene {
  return { name, as: 'self', path: () => path, ...rest };
}

function requested(name: string, path: Scene['path'], act: NonNullable<Scene['act']>): Scene {
  return { name, as: 'requested', path, act };
}

const requestPath: Scene['path'] = ({ rooms }) => `/chatarea/chats/${rooms.request}`;

async function clickChatroomMenu(
  page: Page,
  t: Translator,
  name: string,
  dialog: 'dialog' | 'alertdialog',
): Promise<void> {
  await clickButton(page, t('room.menu'));
  await page.getByRole('menuitem', { name }).click();
  await page.getByRole(dialog).waitFor();
}

function inOpenChatroom(name: string, act?: Scene['act'], rest: Partial<Scene> = {}): Scene {
  const actAfterwards: Scene['act'] = async (page, t, data) => {
    await waitForMessages(page);
    await act?.(page, t, data);
  };
  return { name, as: 'self', path: room, act: actAfterwards, ...rest };
}

/** The gallery of a chatroom. */
function gallery(
  name: string,
  kind: SearchKind,
  act: NonNullable<Scene['act']>,
  chatroom: Scene['path'] = room,
): Scene {
  return { name, as: 'self', path: (data) => `${chatroom(data)}/media?kind=${kind}`, act };
}

const BLOCKED = {
  blocked: ['Maximiliane_von_Wert', ''].map((username) => ({
    chatId: `room-${username}`,
    username,
    isDeletedAccount: username === '',
    blockedAt: '2026-03-01T10:00:00.000Z',
  })),
};

/** Lets a public page look for a session, as the cookies come from outside the browser. */
const rememberLogin = (page: Page) =>
  page.addInitScript(() => localStorage.setItem('parley.signed-in', '"somebody"'));

function invitation(name: string, as: Scene['as'], rest: Partial<Scene> = {}): Scene {
  return { name, as, path: (data) => data.invitation, ...rest };
}

/** All scenes: every screen in each of its visible states. */
export const SCENES: readonly Scene[] = [
  guest('login', '/'),
  guest('login-errors', '/', (page, t) => clickButton(page, t('login.submit'))),
  guest('register', '/register'),
  guest('register-errors', '/register', async (page, t) => {
    await page.getByLabel(t('field.email'), { exact: true }).fill('mia@');
    await page.getByLabel(t('field.username'), { exact: true }).fill('M');
    await page.getByLabel(t('field.password'), { exact: true }).fill('short');
    await clickButton(page, t('register.submit'));
    await waitForText(page, t('register.privacyRequired'));
  }),
  guest('verify', '/register/verify'),
  guest('forgot-password', '/forgot-pw'),
  guest('new-password', '/new-pw'),
  self('new-password-signed-in', '/new-pw', {
    arrange: rememberLogin,
    act: (page, t) => page.getByRole('button', { name: t('frame.logout'), exact: true }).waitFor(),
  }),
  guest('email-restore', '/email-restore#key=ABCDEFGHJKLMNPQRSTUV'),
  guest('email-restore-invalid', '/email-restore', async (page, t) => {
    await page.getByLabel(t('restoreEmail.key'), { exact: true }).fill('ABCDEFGHJKLMNPQRSTUV');
    await clickButton(page, t('restoreEmail.submit'));
    await waitForText(page, t('restoreEmail.invalidKey'));
  }),
  guest('privacy', '/privacy'),
  guest('not-found', '/404'),
  guest('account-deleted', '/account-deleted'),

  invitation('invite', 'guest'),
  invitation('invite-without-registration', 'guest', {
    arrange: (page) =>
      page.route('**/api/invitations/preview', (route) =>
        route.fulfill({ json: { username: 'Maximiliane_von_Wert', canRegister: false } }),
      ),
  }),
  invitation('invite-loading', 'guest', { arrange: leaveUnanswered('**/api/invitations/preview') }),
  invitation('invite-failed', 'guest', {
    arrange: respondWithError('**/api/invitations/preview', 500),
    act: (page, t) => waitForText(page, t('invite.loadFailed')),
  }),
  invitation('invite-register', 'guest', {
    act: (page, t) => page.getByRole('link', { name: t('invite.register') }).click(),
  }),
  guest('invite-invalid', '/invite', (page, t) => waitForText(page, t('invite.invalid'))),
  invitation('invite-accept', 'newcomer', {
    arrange: rememberLogin,
    act: (page, t) => page.getByRole('button', { name: t('invite.start') }).waitFor(),
  }),
  invitation('invite-own', 'self', {
    arrange: rememberLogin,
    act: (page, t) => waitForText(page, t('invite.ownText')),
  }),

  self('chats-loading', '/chatarea', { arrange: leaveUnanswered('**/api/chatrooms/chats') }),
  self('chats-failed', '/chatarea', {
    arrange: respondWithError('**/api/chatrooms/chats', 500),
    act: (page, t) => waitForText(page, t('chatList.error')),
  }),
  {
    ...self('chats-empty', '/chatarea', {
      act: (page, t) => waitForText(page, t('chatList.empty')),
    }),
    as: 'newcomer',
  },
  {
    ...self('invite-friend', '/chatarea', {
      async act(page, t) {
        await clickButton(page, t('frame.invite'));
        await page.getByRole('img', { name: t('invite.qr') }).waitFor();
      },
    }),
    as: 'newcomer',
  },
  self('chats', '/chatarea', { act: (page) => page.locator('[data-chat]').last().waitFor() }),
  requested(
    'chats-requests',
    () => '/chatarea',
    (page) => page.locator('[data-chat]').last().waitFor(),
  ),
  requested(
    'chats-requests-all',
    () => '/chatarea',
    async (page) => {
      await page.locator('nav [aria-expanded]').first().click();
      await page.locator('[data-chat]').last().waitFor();
    },
  ),
  self('find-user', '/chatarea/exist'),
  self('find-user-error', '/chatarea/exist', {
    async act(page, t) {
      await page.getByLabel(t('findUser.username'), { exact: true }).fill('nobody_here');
      await clickButton(page, t('findUser.submit'));
      await waitForText(page, t('findUser.notFound'));
    },
  }),
  {
    name: 'new-chatroom',
    as: 'self',
    path: ({ content }) => `/chatarea/chats/new-chatroom/${content.newContact}`,
    act: (page) => textBox(page).waitFor(),
  },

  inOpenChatroom('room'),
  inOpenChatroom('room-draft', async (page, _, { content }) => {
    await lastOwn(page).scrollIntoViewIfNeeded();
    await textBox(page).fill(content.draft);
  }),
  {
    name: 'room-loading',
    as: 'self',
    path: room,
    arrange: leaveUnanswered('**/api/chatrooms/chats/*'),
  },
  inOpenChatroom('room-unread', (page, t) => waitForText(page, t('room.newMessages')), {
    path: ({ rooms }) => `/chatarea/chats/${rooms.unread}`,
    arrange: leaveUnanswered('**/mark-as-read'),
  }),
  inOpenChatroom('room-actions', (page) => lastOwn(page).hover()),
  inOpenChatroom('room-editing', (page, t) => actOnLastOwn(page, t('message.edit'))),
  inOpenChatroom('room-delete-message', async (page, t) => {
    await actOnLastOwn(page, t('message.delete'));
    await page.getByRole('alertdialog').waitFor();
  }),
  inOpenChatroom('room-message-menu', async (page) => {
    await lastOwn(page).locator('[data-message]').click({ button: 'right' });
    await page.getByRole('menu').waitFor();
  }),
  inOpenChatroom('room-message-details', async (page, t) => {
    await lastOwn(page).locator('[data-message]').click({ button: 'right' });
    await page.getByRole('menuitem', { name: t('message.details') }).click();
    await page.getByRole('dialog').waitFor();
  }),
  inOpenChatroom('room-recorder', async (page, t) => void (await record(page, t))),
  inOpenChatroom('room-recorded', async (page, t) => {
    await record(page, t);
    await clickButton(page, t('recorder.pause'));
  }),
  inOpenChatroom('room-recorder-muted', async (page, t) => {
    const microphone = await record(page, t);
    await microphone.evaluate((track) => {
      Object.defineProperty(track, 'muted', { value: true });
      track?.dispatchEvent(new Event('mute'));
    });
    await waitForText(page, t('recorder.muted'));
    await page.getByRole('group', { name: t('recorder.review') }).waitFor();
  }),
  inOpenChatroom('room-recorder-ended', async (page, t) => {
    const microphone = await record(page, t);
    await microphone.evaluate((track) => {
      track?.stop();
      track?.dispatchEvent(new Event('ended'));
    });
    await waitForText(page, t('recorder.ended'));
    await page.getByRole('group', { name: t('recorder.review') }).waitFor();
  }),
  inOpenChatroom('room-image-chosen', async (page, t, { picture }) => {
    await chooseImages(page, picture);
    await page.getByRole('button', { name: t('composer.sendImage_one') }).waitFor();
  }),
  inOpenChatroom('room-images-chosen', async (page, t, { picture }) => {
    await chooseImages(page, ...Array.from({ length: 4 }, () => picture));
    await page.getByRole('button', { name: t('composer.sendImage_other', { count: 4 }) }).waitFor();
  }),
  inOpenChatroom('room-image-refused', async (page, t, { picture }) => {
    const refusal = { errorMessage: 'The file is too large', code: 'too_large' };
    await page.route('**/api/upload/image', (route) =>
      route.fulfill({ status: 413, json: refusal }),
    );
    await chooseImages(page, picture, picture);
    await clickButton(page, t('composer.sendImage_other', { count: 2 }));
    await page.getByRole('button', { name: t('smallerCopy.send') }).waitFor();
  }),
  inOpenChatroom('room-smaller-copies', async (page, t, { picture }) => {
    const large = Buffer.concat([picture.buffer, Buffer.alloc(10 * 1024 * 1024)]);
    await chooseImages(page, { ...picture, buffer: large }, { ...picture, buffer: large });
    await page.getByRole('button', { name: t('smallerCopy.confirm_other') }).waitFor();
  }),
  inOpenChatroom(
    'room-emoji',
    async (page, t) => {
      await clickButton(page, t('composer.emoji'));
      await page.locator('.EmojiPickerReact').waitFor();
    },
    { minWidth: 1_024 },
  ),
  inOpenChatroom('room-failed', async (page, t, { content }) => {
    await respondWithError('**/api/messages/send', 400)(page);
    await textBox(page).fill(content.unsent);
    await clickButton(page, t('composer.send'));
    await waitForText(page, t('message.failed'));
  }),
  inOpenChatroom('room-picture', async (page, t) => {
    await page.getByRole('button', { name: new RegExp(`^${t('message.openImage')}`) }).click();
    await page.getByRole('dialog').waitFor();
  }),
  inOpenChatroom(
    'room-media-loading',
    async (page, t) => {
      await page
        .getByRole('button', { name: t('audio.play') })
        .first()
        .click();
    },
    { arrange: leaveUnanswered('**/media/*') },
  ),
  inOpenChatroom(
    'room-media-failed',
    async (page, t) => {
      await page
        .getByRole('button', { name: t('audio.play') })
        .first()
        .click();
      await waitForText(page, t('message.imageBroken'));
    },
    { arrange: respondWithError('**/media/*', 404) },
  ),
  inOpenChatroom('room-search', async (page, t) => {
    await clickButton(page, t('roomSearch.title'));
    // In both languages.
    await page.getByRole('textbox', { name: t('roomSearch.title') }).fill('am');
    await page.locator('[data-found] mark').first().waitFor();
  }),
  inOpenChatroom('room-calendar', (page, t) =>
    clickChatroomMenu(page, t, t('calendar.open'), 'dialog'),
  ),
  inOpenChatroom('room-jumped', async (page, t) => {
    await lastOwn(page).hover();
    await page.mouse.wheel(0, -200);
    await page.getByRole('button', { name: t('room.toBottom') }).waitFor();
    await clickChatroomMenu(page, t, t('calendar.open'), 'dialog');
    await page.getByRole('gridcell').locator('button:enabled').first().click();
    await page.getByRole('button', { name: t('room.toPlace') }).waitFor();
  }),
  gallery('gallery', 'image', (page) => page.locator('[data-image]').first().waitFor()),
  gallery('gallery-recordings', 'audio', (page) => page.getByRole('slider').first().waitFor()),
  gallery('gallery-links', 'link', (page) => waitForText(page, 'example.org')),
  gallery(
    'gallery-empty',
    'image',
    (page, t) => waitForText(page, t('gallery.noImages')),
    (data) => `/chatarea/chats/${data.rooms.unread}`,
  ),
  inOpenChatroom('room-partner-deleted', undefined, {
    path: ({ rooms }) => `/chatarea/chats/${rooms.deletedPartner}`,
  }),
  inOpenChatroom('room-offline', async (page, t, { content }) => {
    await page.context().setOffline(true);
    await waitForText(page, t('connection.offline'));
    await textBox(page).fill(content.unsent);
    await clickButton(page, t('composer.send'));
  }),

  requested('request', requestPath, (page, t) => waitForText(page, t('request.accept'))),
  requested(
    'undecided',
    ({ rooms }) => `/chatarea/chats/${rooms.undecided}`,
    (page, t) => waitForText(page, t('request.accept')),
  ),
  requested(
    'sent-request',
    ({ rooms }) => `/chatarea/chats/${rooms.sentRequest}`,
    (page) => waitForMessages(page),
  ),
  requested('request-delete', requestPath, async (page, t) => {
    await clickButton(page, t('request.delete'));
    await page.getByRole('alertdialog').waitFor();
  }),
  requested(
    'room-blocked',
    ({ rooms }) => `/chatarea/chats/${rooms.blocked}`,
    (page, t) => waitForText(page, t('block.unblock')),
  ),
  inOpenChatroom('room-export', async (page, t, data) => {
    await showExports(room(data).split('/').at(-1))(page);
    await clickButton(page, t('room.menu'));
    await page.getByRole('menuitem', { name: t('room.export') }).click();
    await waitForText(page, t('data.download'));
  }),
  inOpenChatroom('room-menu', async (page, t) => {
    await clickButton(page, t('room.menu'));
    await page.getByRole('menu').waitFor();
  }),
  inOpenChatroom('room-block', (page, t) =>
    clickChatroomMenu(page, t, t('room.block'), 'alertdialog'),
  ),
  inOpenChatroom('room-delete', (page, t) =>
    clickChatroomMenu(page, t, t('chatMenu.delete'), 'alertdialog'),
  ),
  inOpenChatroom('room-report', (page, t) =>
    clickChatroomMenu(page, t, t('room.report'), 'dialog'),
  ),
  inOpenChatroom('room-report-error', async (page, t) => {
    await clickChatroomMenu(page, t, t('room.report'), 'dialog');
    await page.getByRole('dialog').getByRole('checkbox').first().click();
    await clickButton(page, t('report.submit'));
  }),
  inOpenChatroom('room-limited', async (page, t, { content }) => {
    await page.route('**/api/messages/send', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'retry-after': '3000' },
        json: { code: 'rate_limited', errorMessage: 'No.' },
      }),
    );
    await textBox(page).fill(content.unsent);
    await clickButton(page, t('composer.send'));
    await waitForText(page, t('message.limited'));
  }),

  self('menu', '/chatarea', {
    async act(page, t, { content }) {
      await clickButton(page, t('frame.menu', { name: content.self }));
      await page.getByRole('menu').waitFor();
    },
  }),
  self('settings', '/settings', { act: (page, t) => waitForText(page, t('settings.delete')) }),
  self('settings-contact', '/settings', {
    act: (page, t) => scrollToTop(page.getByRole('region', { name: t('settings.whoMayWrite') })),
  }),
  self('settings-invitations', '/settings', {
    arrange: (page) =>
      page.route('**/api/chatrooms/blocked', (route) => route.fulfill({ json: BLOCKED })),
    act: (page, t) => scrollToTop(page.getByRole('region', { name: t('settings.invitations') })),
  }),
  self('settings-invitation-new', '/settings', {
    act: async (page, t) => {
      await clickButton(page, t('settings.invitationNew'));
      await page.getByRole('dialog').waitFor();
    },
  }),
  self('settings-invitation', '/settings', {
    act: async (page, t, { content }) => {
      const name = new RegExp(`^${t('settings.invitationShow')}: ${content.invitationNote}`);
      await page.getByRole('button', { name }).click();
      await page.getByRole('dialog').waitFor();
    },
  }),
  self('settings-email', '/settings', {
    act: (page, t) => scrollToTop(page.getByRole('region', { name: t('settings.email') })),
  }),
  self('settings-email-key', '/settings', {
    arrange: (page) =>
      page.route('**/api/users/current', async (route) => {
        const response = await route.fetch();
        const user: unknown = await response.json();
        await route.fulfill({
          response,
          json: Object.assign({}, user, { newUsermail: 'maximiliane.von.wert@post.example' }),
        });
      }),
    act: (page, t) => scrollToTop(page.getByRole('region', { name: t('settings.email') })),
  }),
  self('settings-sessions', '/settings', {
    act: (page, t) => page.getByText(t('settings.sessionsHelp')).scrollIntoViewIfNeeded(),
  }),
  self('settings-data', '/settings', {
    arrange: showExports(),
    act: (page, t) => scrollToTop(page.getByRole('region', { name: t('data.title') })),
  }),
  self('settings-data-empty', '/settings', {
    act: async (page, t) => {
      await waitForText(page, t('data.create'));
      await scrollToTop(page.getByRole('region', { name: t('data.title') }));
    },
  }),
  self('screen-failed', '/settings', {
    arrange: (page) => page.route('**/assets/SettingsPage*', (route) => route.abort()),
    act: (page, t) => waitForText(page, t('app.screenFailed')),
  }),
  self('start-failed', '/chatarea', {
    arrange: (page) => page.route('**/api/config', (route) => route.abort()),
    act: (page, t) => waitForText(page, t('app.startFailed')),
  }),
  self('settings-delete', '/settings', {
    async act(page, t) {
      await clickButton(page, t('settings.delete'));
      await page.getByRole('alertdialog').waitFor();
    },
  }),
  self('profile', '/profile'),
  self('about', '/about-us'),
];
