import { table } from './table.ts'

/** What the offline brain says. Placeholders: `tool` is a tool's short name, `text` what it answered. */
export const brain = table({
  en: {
    result: '{{text}}',
    picture: 'Here is what {{tool}} made.',
    noOutput: '{{tool}} is done. It had nothing to say.',
    failed: '{{tool}} did not work: {{text}}',
    stoppedTool: '{{tool}} was stopped.',
    feeling: 'This is how that feels to me.',
    greeting: 'Hello. I am the offline brain, not a language model. Ask me for something that one of the tools can do.',
    goodbye: 'Goodbye.',
    looking: {
      left: 'I look to the left.',
      right: 'I look to the right.',
      up: 'I look up.',
      down: 'I look down.',
      front: 'I look straight ahead.',
    },
    around: 'I look around.',
    dancing: 'I dance: {{move}}.',
    dancingTimes: 'I dance {{move}}, {{times}} times.',
    stopped: 'I have stopped.',
    sleeping: 'I go to sleep.',
    ask: 'I can use {{tool}} for that, but I do not know this yet: {{missing}}. What shall I take?',
    smallTalk:
      'I am the offline brain, not a language model: I cannot hold a conversation. I find the tool that fits a sentence, run it and tell you what it says. Choose a model in Settings to talk freely.',
    nothing:
      'None of the tools of this profile fits that sentence. I am the offline brain, not a language model, so I can only run tools. You can switch tools on in Profiles or add some in Spaces.',
    noTools:
      'This profile has no tools that work here, and without a language model I can only run tools. Switch some on in Profiles.',
    tryThis: 'You could say: “{{example}}”',
  },
  'zh-CN': {
    result: '{{text}}',
    picture: '这是 {{tool}} 做的。',
    noOutput: '{{tool}} 已完成，没有其他内容。',
    failed: '{{tool}} 没有成功：{{text}}',
    stoppedTool: '{{tool}} 已停止。',
    feeling: '我的感受是这样的。',
    greeting: '你好。我是离线大脑，不是语言模型。请让我做某个工具能做的事。',
    goodbye: '再见。',
    looking: {
      left: '我看向左边。',
      right: '我看向右边。',
      up: '我抬头看。',
      down: '我低头看。',
      front: '我看向正前方。',
    },
    around: '我看看四周。',
    dancing: '我来跳舞：{{move}}。',
    dancingTimes: '我跳 {{times}} 次 {{move}}。',
    stopped: '我停下来了。',
    sleeping: '我去睡觉了。',
    ask: '我可以用 {{tool}} 来做，但还不知道：{{missing}}。要用什么？',
    smallTalk:
      '我是离线大脑，不是语言模型，不能聊天。我会为一句话找到合适的工具，运行它，再告诉你结果。想自由对话，请在设置中选择一个模型。',
    nothing:
      '这个角色的工具都不适合这句话。我是离线大脑，不是语言模型，只能运行工具。你可以在“角色”中打开工具，或在 Spaces 中添加。',
    noTools: '这个角色没有可用的工具，而没有语言模型时我只能运行工具。请在“角色”中打开一些。',
    tryThis: '你可以说：“{{example}}”',
  },
  fr: {
    result: '{{text}}',
    picture: 'Voici ce que {{tool}} a fait.',
    noOutput: '{{tool}} a terminé, sans rien à dire.',
    failed: '{{tool}} n’a pas fonctionné : {{text}}',
    stoppedTool: '{{tool}} a été arrêté.',
    feeling: 'Voilà ce que cela me fait.',
    greeting:
      'Bonjour. Je suis le cerveau hors ligne, pas un modèle de langage. Demandez-moi quelque chose que l’un des outils sait faire.',
    goodbye: 'Au revoir.',
    looking: {
      left: 'Je regarde à gauche.',
      right: 'Je regarde à droite.',
      up: 'Je regarde en haut.',
      down: 'Je regarde en bas.',
      front: 'Je regarde droit devant.',
    },
    around: 'Je regarde autour de moi.',
    dancing: 'Je danse : {{move}}.',
    dancingTimes: 'Je danse {{move}}, {{times}} fois.',
    stopped: 'Je me suis arrêté.',
    sleeping: 'Je vais dormir.',
    ask: 'Je peux utiliser {{tool}}, mais il me manque : {{missing}}. Que dois-je prendre ?',
    smallTalk:
      'Je suis le cerveau hors ligne, pas un modèle de langage : je ne sais pas converser. Je trouve l’outil qui convient à une phrase, je le lance et je dis ce qu’il répond. Pour parler librement, choisissez un modèle dans Réglages.',
    nothing:
      'Aucun outil de ce profil ne convient à cette phrase. Je suis le cerveau hors ligne, pas un modèle de langage : je ne sais que lancer des outils. Vous pouvez en activer dans Profils ou en ajouter dans Spaces.',
    noTools:
      'Ce profil n’a aucun outil utilisable ici, et sans modèle de langage je ne sais que lancer des outils. Activez-en dans Profils.',
    tryThis: 'Vous pouvez dire : « {{example}} »',
  },
})
