import { createTranslator } from '@parley/texts/translator';
import { expect } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { actAs, createChatBetween, createServerWith, sendTextAs } from './act-as.ts';
import { chatRowOf, messageWith } from './locators.ts';
import { createImageFile, sendMediaAs } from './media-files.ts';
import { openApp, type AppOptions } from './open-app.ts';
import { chooseFromRoomMenu } from './room-menu.ts';

const t = createTranslator('en');

/** The paths of the screens with a form, and the keys of their titles. */
export const FORM_SCREENS = [
  ['/', 'login.title'],
  ['/register', 'register.title'],
  ['/register/verify', 'verify.title'],
  ['/forgot-pw', 'forgot.title'],
  ['/new-pw', 'newPassword.title'],
  ['/email-restore', 'restoreEmail.title'],
] as const;

const GUEST_SCREENS = [
  ...FORM_SCREENS,
  ['/account-deleted', 'deletedAccount.title'],
  ['/privacy', 'privacy.title'],
  ['/invite', 'invite.page'],
  ['/404', 'notFound.title'],
] as const;

const USER_SCREENS = [
  ['/chatarea/exist', 'findUser.title'],
  ['/chatarea/chats/new-chatroom/Carla', 'newChatroom.title'],
  ['/profile', 'profile.title'],
  ['/about-us', 'about.title'],
  ['/settings', 'settings.title'],
] as const;

/** The users whose message requests Alice has. */
const REQUESTERS = ['Dora', 'Emma', 'Fiona_with_long_name', 'Greta'];

const heading = page.getByRole('heading', { level: 1 });
const confirmation = page.getByRole('alertdialog');

type Inspect = (name: string) => Promise<void>;

/** Opens each screen of guests and calls `inspect` on it. */
async function visitGuestScreens(options: AppOptions, inspect: Inspect): Promise<void> {
  const server = createServerWith(['Alice']);
  const { code } = await actAs(server, 'Alice').call('createInvitation', {
    body: { isSingleUse: false },
  });
  const { reload } = await openApp({ ...options, server });
  for (const [path, title] of GUEST_SCREENS) {
    await reload(path);
    await expect.element(heading).toMatchTextContent(t(title));
    await inspect(path);
  }
  await reload(`/invite#${code}`);
  await expect.element(heading).toMatchTextContent('Alice');
  await inspect('an invitation');
}

/** Opens each screen of users, most with some content, and the dialogs of chats, and calls `inspect` on each. */
async function visitUserScreens(options: AppOptions, inspect: Inspect): Promise<void> {
  const server = createServerWith(['Alice', 'Bob', 'Carla', 'Hanna', ...REQUESTERS]);
  const alice = actAs(server, 'Alice');
  const { reload } = await openApp({ ...options, server, user: 'Alice' });
  await expect.element(page.getByText(t('chatList.empty'))).toBeVisible();
  await inspect('the empty chat list');

  const content = 'Hello Bob!\nhttps://parley.example/a/long/address';
  const id = await createChatBetween(server, ['Alice', 'Bob'], content);
  await sendTextAs(server, 'Bob', id, `Dear Alice, ${'a'.repeat(120)}`);
  await expect.element(chatRowOf('Bob')).toMatchTextContent('Dear Alice');
  await inspect('the chat list');
  await reload(`/chatarea/chats/${id}`);
  await expect.element(messageWith('Dear Alice')).toBeVisible();
  await inspect('a chatroom');
  await userEvent.keyboard('{Control>}f{/Control}');
  await page.getByRole('textbox', { name: t('roomSearch.title') }).fill('dear');
  const count = page.getByCss(`search[aria-label="${t('roomSearch.title')}"] output`);
  await expect.element(count).toMatchTextContent(t('roomSearch.place', { current: 1, total: '1' }));
  await expect.element(page.getByCss('[data-found] mark')).toBeVisible();
  await inspect('the search in a chatroom');
  await reload(`/chatarea/chats/${id}/media?kind=link`);
  await expect.element(heading).toMatchTextContent(t('gallery.title'));
  await expect.element(page.getByText('parley.example', { exact: true })).toBeVisible();
  await inspect('the links of a chatroom');
  await reload(`/chatarea/chats/${id}`);
  await chooseFromRoomMenu(t, 'room.report');
  await page.getByRole('button', { name: t('report.submit') }).click();
  await expect.element(page.getByText(t('report.reasonRequired'))).toBeVisible();
  await inspect('the dialog for a report');
  await userEvent.keyboard('{Escape}');
  await chooseFromRoomMenu(t, 'room.block');
  await expect.element(confirmation).toBeVisible();
  await inspect('the confirmation before a user is blocked');
  await userEvent.keyboard('{Escape}');

  let request = '';
  for (const name of REQUESTERS) {
    request = await createChatBetween(server, [name, 'Alice'], 'See example.org', {
      isRequest: true,
    });
    await sendMediaAs(server, name, request, await createImageFile(40, 30));
  }
  await reload('/chatarea');
  const requests = t('requests.total_other', { count: 4 });
  await page.getByRole('button', { name: requests, exact: false }).click();
  await expect.element(page.getByText(t('requests.row')).first()).toBeInTheDocument();
  await inspect('the chat list with message requests');
  await reload(`/chatarea/chats/${request}`);
  await expect.element(page.getByRole('button', { name: t('request.accept') })).toBeVisible();
  await inspect('a message request');
  await alice.call('changeSettings', { body: { whoMayWrite: 'everyone' } });
  const undecided = await createChatBetween(server, ['Hanna', 'Alice'], 'Hello Alice', {
    isUndecided: true,
  });
  await reload(`/chatarea/chats/${undecided}`);
  await expect.element(page.getByText(t('request.undecided', { name: 'Hanna' }))).toBeVisible();
  await inspect('a chat that is not accepted yet');
  await alice.call('blockPartner', { params: { id: request } });
  await reload(`/chatarea/chats/${request}`);
  await expect.element(page.getByText(t('block.bar', { name: 'Greta' }))).toBeVisible();
  await inspect('a blocked chatroom');

  for (const [path, title] of USER_SCREENS) {
    await reload(path);
    await expect.element(heading).toMatchTextContent(t(title));
    await inspect(path);
  }
  await page.getByRole('button', { name: t('settings.invitationNew') }).click();
  await expect.element(page.getByRole('dialog')).toBeVisible();
  await inspect('the form of an invitation');
  await page.getByRole('button', { name: t('settings.invitationCreate') }).click();
  await expect.element(page.getByRole('img', { name: t('invite.qr') })).toBeVisible();
  await inspect('the link of an invitation');
  await userEvent.keyboard('{Escape}');
  const unblock = page.getByRole('button', {
    name: t('settings.unblockPerson', { name: 'Greta' }),
  });
  await expect.element(unblock).toBeVisible();
  await inspect('the settings with an invitation and a blocked person');
  await page.getByRole('button', { name: t('settings.delete') }).click();
  await expect.element(confirmation).toBeVisible();
  await inspect('the confirmation before an account is deleted');
}

/** Visits every screen, by who sees them. */
export const SCREEN_VISITS = { guests: visitGuestScreens, users: visitUserScreens } as const;
