import { useTranslation } from 'react-i18next';
import { FullPageProblem } from './FullPageProblem.tsx';

/** The server speaks another version of the interface: an app that was not updated with it, or an old page. */
export function VersionMismatch({ isServerNewer }: { isServerNewer: boolean }) {
  const { t } = useTranslation();
  return (
    <FullPageProblem
      title={isServerNewer ? t('app.serverNewer') : t('app.serverOlder')}
      text={isServerNewer ? t('app.serverNewerHelp') : t('app.serverOlderHelp')}
      action={t('app.reload')}
      onAction={() => location.reload()}
    />
  );
}
