import { Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useLoadScreenTexts } from '../../../i18n/use-language.ts';
import { MenuItem, MenuSeparator } from '../../../ui/DropdownMenu.tsx';
import { toastError } from '../../../ui/show-toast.ts';

/** The item of a chat's menu that deletes it, after a line. Loads the dialog before it calls `onDelete`. */
export default function DeleteChatItem({ onDelete }: { onDelete: () => void }) {
  const { t } = useTranslation();
  const loadScreenTexts = useLoadScreenTexts();
  const load = async (): Promise<void> => {
    await Promise.all([
      import('../../../shared/chat-menu/DeleteChatDialog.tsx'),
      loadScreenTexts('dialogs'),
    ]);
  };
  return (
    <>
      <MenuSeparator />
      <MenuItem
        icon={<Trash2 />}
        danger
        onClick={() => void load().then(onDelete, () => toastError(t('app.screenFailed')))}
      >
        {t('chatMenu.delete')}
      </MenuItem>
    </>
  );
}
