import { fill, LANGUAGES } from '@parley/texts';
import type { ViewedChat } from '../viewed-message.ts';
import type { AccountData } from './account-data.ts';
import { describeCount, type WrittenChat } from './chat-writer.ts';
import { pageName, toLink } from './export-folder.ts';
import { markup, type Markup } from './markup.ts';
import { toPage, type PageFormat } from './page-format.ts';

/** A chat in an archive. */
export interface ExportedChat extends WrittenChat {
  readonly chat: ViewedChat;
  /** Its folder, with a slash at its end. */
  readonly folder: string;
}

/** Returns the first page of an archive with all data of a user. */
export function renderOverview(
  format: PageFormat,
  data: AccountData,
  chats: readonly ExportedChat[],
  madeAt: string,
): string {
  const { texts } = format;
  const { account } = data;
  const title = fill(texts.title, { name: account.username });
  const made = fill(texts.made, { time: format.dateTimeText(madeAt), zone: format.timeZone });
  const body = markup`<header>
<h1><bdi>${title}</bdi></h1>
<p class="note">${made}</p>
<p class="note">${texts.machine} <a href="account.json">account.json</a></p>
</header>
<main>
${listSections(format, data, chats)}</main>`;
  return toPage(format, title, body);
}

function listSections(
  format: PageFormat,
  data: AccountData,
  chats: readonly ExportedChat[],
): Markup[] {
  const { texts } = format;
  const { account, settings, sessions, blocked, invitations, reports } = data;
  const devices = sessions.map((each) => renderSession(format, each));
  return [
    renderSection(texts.chats.heading, renderChats(format, chats)),
    renderSection(texts.account.heading, renderFacts(listAccountFacts(format, account))),
    renderSection(texts.settings.heading, renderFacts(listSettings(format, settings))),
    renderSection(texts.sessions.heading, renderList(devices)),
    ...(blocked.length === 0
      ? []
      : [renderSection(texts.blocked.heading, renderBlocked(format, blocked))]),
    ...(invitations.length === 0
      ? []
      : [renderSection(texts.invitations.heading, renderInvitations(format, invitations))]),
    ...(reports.length === 0
      ? []
      : [renderSection(texts.reports.heading, renderReports(format, reports))]),
  ];
}

function listAccountFacts(
  format: PageFormat,
  account: AccountData['account'],
): (readonly [string, Markup])[] {
  const { account: texts } = format.texts;
  const { newEmail, formerEmails } = account;
  const formers = formerEmails.map(({ email, restorableUntil }) => {
    const until = fill(texts.restorable, { time: format.dateTimeText(restorableUntil) });
    return markup`<bdi>${email}</bdi> <span class="note">${until}</span>`;
  });
  return [
    [texts.username, markup`<bdi>${account.username}</bdi>`],
    [texts.email, markup`<bdi>${account.email}</bdi>`],
    ...(newEmail === null ? [] : [[texts.newEmail, markup`<bdi>${newEmail}</bdi>`] as const]),
    ...(formers.length === 0 ? [] : [[texts.formerEmails, renderList(formers)] as const]),
    [texts.registered, format.dateTime(account.registeredAt)],
  ];
}

function renderSection(heading: string, content: Markup): Markup {
  return markup`<section>
<h2>${heading}</h2>
${content}
</section>
`;
}

function renderFacts(facts: readonly (readonly [name: string, value: Markup])[]): Markup {
  return markup`<dl>
${facts.map(([name, value]) => markup`<dt>${name}</dt><dd>${value}</dd>\n`)}</dl>`;
}

function renderList(entries: readonly Markup[]): Markup {
  return markup`<ul>
${entries.map((entry) => markup`<li>${entry}</li>\n`)}</ul>`;
}

function renderChats(format: PageFormat, chats: readonly ExportedChat[]): Markup {
  const { chats: texts, deletedUser } = format.texts;
  if (chats.length === 0) return markup`<p class="note">${texts.none}</p>`;
  return renderList(
    chats.map((exported) => {
      const { chat, folder, pages } = exported;
      const name = chat.isDeletedAccount ? deletedUser : chat.usernames.join();
      const first = toLink(folder + pageName(1));
      const newest =
        pages > 1 && markup` (<a href="${toLink(folder + pageName(pages))}">${texts.newest}</a>)`;
      const notes = [
        describeCount(format, exported),
        ...(chat.status === 'blocked' ? [texts.blocked] : []),
        ...(chat.status === 'request' ? [texts.request] : []),
        ...(chat.settings?.isPinned === true ? [texts.pinned] : []),
        ...(chat.settings?.isArchived === true ? [texts.archived] : []),
        ...(chat.settings?.mutedUntil !== undefined ? [texts.muted] : []),
      ];
      return markup`<a href="${first}"><bdi>${name}</bdi></a>
        <span class="note">${notes.join(', ')}</span>${newest}`;
    }),
  );
}

function listSettings(
  format: PageFormat,
  settings: AccountData['settings'],
): (readonly [string, Markup])[] {
  const { settings: texts } = format.texts;
  const { quietHours, pausedUntil, content } = settings.notifications;
  const yesOrNo = (value: boolean) => markup`${value ? texts.yes : texts.no}`;
  const hours =
    quietHours &&
    fill(texts.quietHoursValue, {
      from: quietHours.from,
      to: quietHours.to,
      zone: quietHours.timeZone,
    });
  return [
    [texts.language, markup`${LANGUAGES[settings.language].name}`],
    [texts.volume, markup`${texts.volumes[settings.volume]}`],
    [texts.whoMayWrite, markup`${texts.whoMayWriteValues[settings.whoMayWrite]}`],
    [texts.isDiscoverable, yesOrNo(settings.isDiscoverable)],
    [texts.sharesReceipts, yesOrNo(settings.sharesReceipts)],
    [texts.sharesTyping, yesOrNo(settings.sharesTyping)],
    [texts.sharesPresence, yesOrNo(settings.sharesPresence)],
    [texts.notifications, markup`${texts.notificationsValues[content]}`],
    ...(hours === null ? [] : [[texts.quietHours, markup`${hours}`] as const]),
    ...(pausedUntil === null ? [] : [[texts.pausedUntil, format.dateTime(pausedUntil)] as const]),
  ];
}

function renderSession(format: PageFormat, session: AccountData['sessions'][number]): Markup {
  const { sessions: texts } = format.texts;
  const dates = fill(texts.dates, {
    created: format.dateTimeText(session.createdAt),
    used: format.dateTimeText(session.lastSeenAt),
  });
  const push =
    session.push &&
    fill(texts.push, {
      service: session.push.service,
      since: format.dateTimeText(session.push.subscribedAt),
    });
  return markup`${session.device || texts.unknownDevice}<br /><span class="note"
      >${dates}${push !== undefined && markup`<br />${push}`}</span
    >`;
}

function renderBlocked(format: PageFormat, blocked: AccountData['blocked']): Markup {
  const { texts } = format;
  return renderList(
    blocked.map(({ username, isDeletedAccount, blockedAt }) => {
      const since = fill(texts.blocked.since, { time: format.dateTimeText(blockedAt) });
      const name = isDeletedAccount ? texts.deletedUser : username;
      return markup`<bdi>${name}</bdi> <span class="note">${since}</span>`;
    }),
  );
}

function renderInvitations(format: PageFormat, invitations: AccountData['invitations']): Markup {
  const { invitations: texts } = format.texts;
  return renderList(
    invitations.map(({ isSingleUse, note, createdAt, expiresAt }) => {
      const dates = fill(texts.dates, {
        created: format.dateTimeText(createdAt),
        expires: format.dateTimeText(expiresAt),
      });
      const about = note !== '' && markup` – <bdi>${note}</bdi>`;
      return markup`${isSingleUse ? texts.single : texts.several}${about}<br /><span class="note"
          >${dates}</span
        >`;
    }),
  );
}

function renderReports(format: PageFormat, reports: AccountData['reports']): Markup {
  const { texts } = format;
  return renderList(
    reports.map(({ reported, createdAt, reason, comment }) => {
      const line = fill(texts.reports.line, {
        name: reported ?? texts.deletedUser,
        time: format.dateTimeText(createdAt),
      });
      const about = comment !== '' && markup`<div class="text" dir="auto">${comment}</div>`;
      return markup`${texts.reports.reasons[reason]}<br /><span class="note"><bdi>${line}</bdi></span
        >${about}`;
    }),
  );
}
