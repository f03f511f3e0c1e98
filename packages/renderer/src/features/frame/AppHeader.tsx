import { codePoints } from '@parley/contract';
import { useTranslation } from 'react-i18next';
import { useUser } from '../../app/app-context.ts';
import { useFocusOnNavigation } from '../../shared/screen/use-focus-on-navigation.ts';
import { RobotLogo } from '../../ui/RobotLogo.tsx';
import { AccountMenu } from './AccountMenu.tsx';
import css from './AppHeader.module.css';

/** Usernames with more characters than this get a smaller font. */
const LONG_NAME = 12;

/**
 * The header with the greeting and the account menu. If the page shows only the chat list, the greeting is its
 * heading.
 */
export function AppHeader({ isHeading = false }: { isHeading?: boolean }) {
  const { t } = useTranslation();
  const { username } = useUser();
  const greeting = t('app.greeting', { name: username });
  const greetingProps = {
    className: css.greeting,
    'data-long': codePoints(username) > LONG_NAME || undefined,
  };
  const heading = useFocusOnNavigation<HTMLHeadingElement>();
  return (
    <header className={css.header} data-screen-header>
      <RobotLogo size={36} />
      <div className={css.titles}>
        <p className={css.appName}>{t('app.name')}</p>
        {isHeading ? (
          <h1 ref={heading} tabIndex={-1} {...greetingProps}>
            {greeting}
          </h1>
        ) : (
          <p {...greetingProps}>{greeting}</p>
        )}
      </div>
      <AccountMenu />
    </header>
  );
}
