import type { DataExport } from '@parley/contract';
import { Archive } from 'lucide-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/Button.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { RemoteContent } from '../screen/RemoteContent.tsx';
import css from './ExportControl.module.css';
import { ExportListItem } from './ExportListItem.tsx';
import { isExportUnfinished, useExports } from './use-exports.ts';

/** Makes exports of everything or of one chat, and shows those that exist with their progress and files. */
export function ExportControl({ chatroomId }: { chatroomId?: string }) {
  const { t } = useTranslation();
  const { remote, isUnfinished, isBusy, error, create, discard } = useExports();
  const createButton = useRef<HTMLButtonElement>(null);

  // One that is unfinished is in the way, whatever it contains.
  const isShown = (each: DataExport): boolean =>
    chatroomId === undefined || each.chatroom === chatroomId || isExportUnfinished(each);

  async function remove(id: string): Promise<void> {
    // The focused button disappears.
    if (await discard(id)) createButton.current?.focus();
  }

  return (
    <RemoteContent
      remote={remote}
      loadingText={t('data.loading')}
      failedText={t('data.loadFailed')}
    >
      {({ exports }) => {
        const shown = exports.filter(isShown);
        return (
          <div className={css.control}>
            {shown.length > 0 && (
              <ul>
                {shown.map((each) => (
                  <ExportListItem
                    key={each.id}
                    info={each}
                    isBusy={isBusy}
                    onRetry={isUnfinished ? undefined : () => void create(each.chatroom)}
                    onDiscard={() => void remove(each.id)}
                  />
                ))}
              </ul>
            )}
            <FormError text={error} />
            <Button
              ref={createButton}
              variant="secondary"
              className={css.create}
              icon={<Archive />}
              isBusy={isBusy}
              isDisabled={isUnfinished}
              onClick={() => void create(chatroomId)}
            >
              {t('data.create')}
            </Button>
            <p className={css.note}>{t('data.kept')}</p>
            <output className="visually-hidden">
              <StateText newest={shown[0]} />
            </output>
          </div>
        );
      }}
    </RemoteContent>
  );
}

/** What screen readers announce of the newest export. */
function StateText({ newest }: { newest: DataExport | undefined }) {
  const { t } = useTranslation();
  if (newest === undefined) return null;
  if (isExportUnfinished(newest)) return t('data.isRunning');
  return newest.status === 'ready' ? t('data.isReady') : t('data.isFailed');
}
