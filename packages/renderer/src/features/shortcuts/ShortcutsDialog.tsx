import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useSettings } from '../../app/app-context.ts';
import { isAppleSystem } from '../../shared/keyboard/key-context.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import css from './ShortcutsDialog.module.css';

/** The dialog that shows all shortcuts. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const hasLetterShortcuts = useSettings((state) => state.hasLetterShortcuts);
  const list = useRef<HTMLDListElement>(null);
  const isApple = isAppleSystem();
  const [control, alt] = isApple ? ['⌘', '⌥'] : [t('shortcuts.control'), 'Alt'];
  const rows = [
    [t('shortcuts.switch'), [[control, 'K']]],
    [t('shortcuts.search'), [[control, 'F']]],
    [t('shortcuts.steps'), [['F3'], [t('shortcuts.shift'), 'F3']]],
    [
      t('shortcuts.neighbors'),
      [
        [alt, '↑'],
        [alt, '↓'],
      ],
    ],
    [t('shortcuts.list'), [['↑'], ['↓']]],
    [
      t('shortcuts.movePin'),
      [
        [alt, t('shortcuts.shift'), '↑'],
        [alt, t('shortcuts.shift'), '↓'],
      ],
    ],
    [t('shortcuts.ends'), [[t('shortcuts.home')], [t('shortcuts.end')]]],
    [t('shortcuts.menu'), [[t('shortcuts.shift'), 'F10']]],
    [t('shortcuts.open'), [[t('shortcuts.enter')]]],
    [t('message.reply'), [['→']]],
    ...(hasLetterShortcuts
      ? ([[t('shortcuts.letters'), [['R'], ['C'], ['F'], ['E'], ['X']]]] as const)
      : []),
    [
      t('shortcuts.extend'),
      [
        [t('shortcuts.shift'), '↑'],
        [t('shortcuts.shift'), '↓'],
      ],
    ],
    [t('shortcuts.send'), [[t('shortcuts.enter')]]],
    [t('shortcuts.line'), [[t('shortcuts.shift'), t('shortcuts.enter')]]],
    [t('shortcuts.edit'), [['↑']]],
    [t('shortcuts.emoji'), [[':']]],
    [t('shortcuts.images'), [['←'], ['→']]],
    [t('shortcuts.zoom'), [['+'], ['−'], ['0']]],
    [t('shortcuts.close'), [['Esc']]],
    [t('shortcuts.help'), [[control, '/'], ...(hasLetterShortcuts ? [['?']] : [])]],
  ] as const;
  return (
    <Dialog
      onClose={onClose}
      title={t('shortcuts.title')}
      isDismissible
      closeLabel={t('ui.close')}
      // The button below would scroll a small window to the end.
      initialFocus={list}
    >
      <dl ref={list} tabIndex={-1} className={css.rows}>
        {rows.map(([text, choices]) => (
          <div key={text} className={css.row}>
            <dt>{text}</dt>
            <dd className={css.choices}>
              {choices.map((keys) => (
                <span key={keys.join('+')} className={css.keys}>
                  {keys.map((key) => (
                    <kbd key={key} className={css.key}>
                      {key}
                    </kbd>
                  ))}
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      {isApple && <p className={css.note}>{t('shortcuts.appleNote')}</p>}
    </Dialog>
  );
}
