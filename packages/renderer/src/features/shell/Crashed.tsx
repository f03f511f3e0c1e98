import { useTranslation } from 'react-i18next';
import { FullPageProblem } from './FullPageProblem.tsx';

/** A screen failed while it was drawn, or its code could not be fetched. */
export function Crashed() {
  const { t } = useTranslation();
  return (
    <FullPageProblem
      title={t('app.crashed')}
      text={t('app.crashedHelp')}
      action={t('app.reload')}
      onAction={() => location.reload()}
    />
  );
}
