import { DELETED_USER, endpointPath, type DataExport } from '@parley/contract';
import type { TFunction } from 'i18next';
import { Download } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { formatFileSize } from '../../format/file-size.ts';
import { useDateFormat } from '../../format/use-date-format.ts';
import { useHost } from '../../host/host-context.ts';
import { useLanguage } from '../../i18n/use-language.ts';
import { Button } from '../../ui/Button.tsx';
import { DownloadButton } from '../../ui/DownloadButton.tsx';
import css from './ExportControl.module.css';
import { isExportUnfinished } from './use-exports.ts';

interface ExportListItemProps {
  info: DataExport;
  isBusy: boolean;
  /** Undefined while another export is being made. */
  onRetry: (() => void) | undefined;
  onDiscard: () => void;
}

/** An export with its progress, its file, or why it failed. */
export function ExportListItem({ info, isBusy, onRetry, onDiscard }: ExportListItemProps) {
  const { t } = useTranslation();
  const format = useDateFormat();
  const { id, status, createdAt } = info;
  const { serverOrigin } = useHost();
  const name = nameOf(info, t);
  const values = { name, time: format.when(createdAt) };
  const discardTexts = isExportUnfinished(info)
    ? ([t('data.cancel'), t('data.cancelOf', values)] as const)
    : ([t('data.delete'), t('data.deleteOf', values)] as const);
  return (
    <li className={css.item}>
      <div className={css.details}>
        <p className={css.name}>
          <bdi>{name}</bdi>
        </p>
        <p className={css.notes}>
          <time dateTime={createdAt} title={format.full(createdAt)}>
            {t('data.requested', { time: format.when(createdAt) })}
          </time>
          <State info={info} />
        </p>
        {isExportUnfinished(info) && <ProgressBar info={info} name={name} />}
      </div>
      <div className={css.buttons}>
        {status === 'ready' && (
          <DownloadButton
            href={new URL(endpointPath('getExportFile', { id }), serverOrigin).href}
            icon={<Download />}
            aria-label={t('data.downloadOf', values)}
          >
            {t('data.download')}
          </DownloadButton>
        )}
        {status === 'failed' && onRetry && (
          <Button variant="secondary" isDisabled={isBusy} onClick={onRetry}>
            {t('app.retry')}
          </Button>
        )}
        <Button
          variant="ghost"
          isDisabled={isBusy}
          aria-label={discardTexts[1]}
          onClick={onDiscard}
        >
          {discardTexts[0]}
        </Button>
      </div>
    </li>
  );
}

function nameOf({ chatroom, partnerName }: DataExport, t: TFunction): string {
  if (chatroom === undefined) return t('data.everything');
  const isDeleted = partnerName === undefined || partnerName === DELETED_USER;
  return isDeleted ? t('data.deletedChat') : t('data.chat', { name: partnerName });
}

/** What there is to say about an export, beside when it was requested. */
function State({ info }: { info: DataExport }) {
  const { t } = useTranslation();
  const format = useDateFormat();
  const language = useLanguage();
  const { chatroom, status, size, expiresAt = '', failure } = info;
  if (status === 'waiting') return <span>{t('data.waiting')}</span>;
  if (status === 'running') {
    return <span>{t('data.running', { percent: percentOf(info) ?? 0 })}</span>;
  }
  if (status === 'failed') {
    // One chat needs less space than all of them.
    const storageFull =
      chatroom === undefined ? t('data.storageFullForAll') : t('data.storageFull');
    const text = failure === 'storage_full' ? storageFull : t('data.internal');
    return <span className={css.failure}>{text}</span>;
  }
  return (
    <>
      {size !== undefined && <span>{formatFileSize(size, language)}</span>}
      <time dateTime={expiresAt} title={format.full(expiresAt)}>
        {t('data.ready', { time: format.until(expiresAt) })}
      </time>
    </>
  );
}

function ProgressBar({ info, name }: { info: DataExport; name: string }) {
  const { t } = useTranslation();
  const percent = percentOf(info);
  return (
    <progress
      className={css.progress}
      aria-label={t('data.progress', { name })}
      max={100}
      {...(percent !== undefined && { value: percent })}
    />
  );
}

/** Returns the progress of an export that is being made; undefined if it has not begun. */
function percentOf({ status, done, total }: DataExport): number | undefined {
  if (status !== 'running') return undefined;
  // The last step, after all messages, takes a while.
  return total === 0 ? 0 : Math.min(99, Math.floor((done / total) * 100));
}
