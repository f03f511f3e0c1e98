import type { LanguageDefinition } from '../src/language-definition.ts';

export default {
  name: 'Deutsch',
  locale: 'de-DE',
  inSentence: {
    relative: (day, time) => `${day} um ${time}`,
    absolute: (date, time) => `am ${date} um ${time}`,
  },
  dictionaries: ['de-DE', 'de'],
  texts: {
    app: () => import('./app.json', { with: { type: 'json' } }),
    causes: () => import('./causes.json', { with: { type: 'json' } }),
    data: () => import('./data.json', { with: { type: 'json' } }),
    desktop: () => import('./desktop.json', { with: { type: 'json' } }),
    errors: () => import('./errors.json', { with: { type: 'json' } }),
    export: () => import('./export.json', { with: { type: 'json' } }),
    dialogs: () => import('./dialogs.json', { with: { type: 'json' } }),
    list: () => import('./list.json', { with: { type: 'json' } }),
    information: () => import('./information.json', { with: { type: 'json' } }),
    invitations: () => import('./invitations.json', { with: { type: 'json' } }),
    keyboard: () => import('./keyboard.json', { with: { type: 'json' } }),
    mail: () => import('./mail.json', { with: { type: 'json' } }),
    manifest: () => import('./manifest.json', { with: { type: 'json' } }),
    share: () => import('./share.json', { with: { type: 'json' } }),
    notifications: () => import('./notifications.json', { with: { type: 'json' } }),
    push: () => import('./push.json', { with: { type: 'json' } }),
    screens: () => import('./screens.json', { with: { type: 'json' } }),
    search: () => import('./search.json', { with: { type: 'json' } }),
    selection: () => import('./selection.json', { with: { type: 'json' } }),
    settings: () => import('./settings.json', { with: { type: 'json' } }),
    worker: () => import('./worker.json', { with: { type: 'json' } }),
  },
} satisfies LanguageDefinition;
