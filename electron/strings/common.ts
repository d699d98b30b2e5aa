import { table } from './table.ts'

/** Words of the kit and of the frame around every screen. */
export const common = table({
  en: {
    close: 'Close',
    cancel: 'Cancel',
    clear: 'Clear',
    dismiss: 'Dismiss',
    undo: 'Undo',
    retry: 'Try again',
    loading: 'Reading…',
    source: { 'built-in': 'Built-in', local: 'Local', space: 'Space', server: 'MCP server' },
    crash: {
      title: 'This view stopped with an error.',
      text: 'Your profiles, tools and conversation are on disk and were not touched. The robot is not affected.',
      reload: 'Reload',
      details: 'Details',
    },
  },
  'zh-CN': {
    close: '关闭',
    cancel: '取消',
    clear: '清除',
    dismiss: '关闭提示',
    undo: '撤销',
    retry: '重试',
    loading: '正在读取…',
    source: { 'built-in': '内置', local: '本地', space: 'Space', server: 'MCP 服务器' },
    crash: {
      title: '此界面因错误而停止。',
      text: '角色、工具和对话都保存在磁盘上，未受影响。机器人不受影响。',
      reload: '重新加载',
      details: '详细信息',
    },
  },
  fr: {
    close: 'Fermer',
    cancel: 'Annuler',
    clear: 'Effacer',
    dismiss: 'Masquer',
    undo: 'Annuler',
    retry: 'Réessayer',
    loading: 'Lecture…',
    source: { 'built-in': 'Intégré', local: 'Local', space: 'Space', server: 'Serveur MCP' },
    crash: {
      title: 'Cette vue s’est arrêtée sur une erreur.',
      text: 'Vos profils, outils et conversations sont sur le disque et n’ont pas été touchés. Le robot n’est pas concerné.',
      reload: 'Recharger',
      details: 'Détails',
    },
  },
})
