import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Host } from '../../host/host.ts';
import { reloadPage } from '../../host/reload-page.ts';
import { FullPageError } from './FullPageError.tsx';

interface VersionMismatchProps {
  /** Which side has to be updated. */
  outdated: 'client' | 'server';
  host: Pick<Host, 'device' | 'checkForUpdates' | 'updates'>;
}

/**
 * Replaces the application if the client and the server are incompatible. Drafts and unsent messages stay
 * stored.
 */
export function VersionMismatch({ outdated, host }: VersionMismatchProps) {
  const { t } = useTranslation();
  const [isBusy, setIsBusy] = useState(false);
  const handleReload = (): void => {
    setIsBusy(true);
    reloadPage(host);
  };
  const reload = { action: t('app.reload'), onAction: handleReload, isBusy };
  if (outdated === 'server') {
    return (
      <FullPageError title={t('app.serverOlder')} text={t('app.serverOlderHelp')} {...reload} />
    );
  }
  const { device, checkForUpdates } = host;
  const update =
    checkForUpdates === undefined
      ? reload
      : { action: t('app.checkForUpdates'), onAction: checkForUpdates };
  const text = device === undefined ? t('app.serverNewerHelp') : t('app.serverNewerHelpDesktop');
  return <FullPageError title={t('app.serverNewer')} text={text} {...update} />;
}
