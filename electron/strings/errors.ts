import { table } from './table.ts'

/**
 * What happened and what is left as it was (`message`), what to do next (`hint`); one entry per error code.
 * Placeholders are keys of the error's details.
 */
export const errors = table({
  en: {
    'space/bad-name': {
      message: '“{{text}}” is not the name of a Space.',
      hint: 'Type owner/name, or paste a link to the Space from huggingface.co or hf.space.',
    },
    'space/not-found': {
      message: 'There is no Space {{slug}}, or it is private.',
      hint: 'Check the spelling. For a private Space, add a Hugging Face token in Settings.',
    },
    'space/gated': {
      message: 'Access to {{slug}} has to be asked for first.',
      hint: 'Open its page on Hugging Face, ask for access, then try again.',
    },
    'space/disabled': { message: 'Hugging Face has disabled {{slug}}.', hint: 'It cannot be installed.' },
    'space/wrong-sdk': {
      message: '{{slug}} is a {{sdk}} Space. Only Gradio Spaces can serve tools.',
      hint: 'Look for a Space with the tag mcp-server.',
    },
    'space/not-running': {
      message: '{{slug}} {{state}}. Nothing was changed.',
      hint: 'While it starts or is being built, try again in a few minutes; otherwise only its owner can help. Its page on Hugging Face says more.',
    },
    'space/asleep': {
      message: '{{slug}} was asleep and did not wake in time.',
      hint: 'Try again in a minute; large Spaces take longer.',
    },
    'space/no-mcp': {
      message: '{{slug}} offers no tools. Nothing was installed.',
      hint: 'Its owner has to switch its MCP server on.',
    },
    'space/no-tools': {
      message: '{{slug}} lists no tool that can be used. Nothing was installed.',
      hint: 'Only its owner can change that.',
    },
    'space/dropped': {
      message: '{{slug}} closed the connection before it answered.',
      hint: 'Try again. If it happens each time, the Space has a fault.',
    },
    'space/timeout': {
      message: '{{slug}} did not answer in {{seconds}} s.',
      hint: 'It may be busy. Try again in a moment.',
    },
    'space/crashed': {
      message: 'The tool server of {{slug}} has crashed.',
      hint: 'Its owner has to restart the Space.',
    },
    'space/rate-limited': {
      message: '{{slug}} gets too many requests.',
      hint: 'Wait {{seconds}} s, then try again.',
    },
    'space/alias-conflict': {
      message: '{{slug}} and {{other}} would have the same tool names. Nothing was installed.',
      hint: 'Remove {{other}} first.',
    },
    'space/not-installed': {
      message: '{{slug}} is not installed.',
      hint: 'The list of installed Spaces has the names.',
    },
    'space/bad-origin': {
      message: '{{slug}} has an address outside of hf.space and was not contacted.',
      hint: 'If it is installed, remove it and add it again. If it is not, it cannot be added.',
    },
    'space/changed': {
      message: 'This tool has changed since you approved it. It is off until you have looked.',
      hint: 'Open its Space and review the change.',
    },
    'space/unauthorized': {
      message: '{{slug}} does not let this computer in.',
      hint: 'It may have become private. Check the Hugging Face token in Settings.',
    },
    'space/unreachable': {
      message: '{{slug}} cannot be reached.',
      hint: 'Check the network, then try again.',
    },
    'space/protocol': {
      message: '{{slug}} did not answer as a tool server does.',
      hint: 'The Space may be too old or too new for this app.',
    },
    'space/too-large': {
      message: '{{slug}} sent or was sent more than is allowed.',
      hint: 'Try with a smaller input.',
    },
    'space/file-gone': {
      message: '{{slug}} does not hand out this file, or no longer.',
      hint: 'Files of an answer are kept for a short time. Call the tool again.',
    },
    'server/bad-name': {
      message: '“{{name}}” cannot name a server.',
      hint: 'Use letters, digits and single underscores, beginning with a letter, not ending with an underscore.',
    },
    'server/bad-address': {
      message: '“{{url}}” cannot be the address of a server.',
      hint: 'It must begin with https://, or with http:// on this computer or the local network.',
    },
    'server/bad-entry': {
      message: 'An entry of the server list cannot be read: {{reason}}.',
      hint: 'The other servers work. Open the file to correct it.',
    },
    'server/exists': {
      message: '{{name}} is taken: {{reason}}.',
      hint: 'Choose another name, or remove that one first.',
    },
    'server/not-installed': {
      message: 'There is no server {{name}}.',
      hint: 'The list of servers shows their names.',
    },
    'server/not-started': {
      message: '{{command}} could not be started: {{reason}}.',
      hint: 'Check that the program is installed and its path is right.',
    },
    'server/exited': {
      message: 'The program of {{name}} ended with code {{exitCode}}. {{reason}}',
      hint: 'Check its arguments, then try again.',
    },
    'server/insecure': {
      message: 'The token of {{name}} would be sent unencrypted. Nothing was sent.',
      hint: 'Use an https address, or allow it for this server.',
    },
    'server/no-token': {
      message: 'The variable {{variable}} with the token of {{name}} is not set. Nothing was sent.',
      hint: 'Set it before the app starts, or store a token for the server in the app.',
    },
    'server/bad-token': {
      message: 'This token of {{name}} cannot be sent: it holds a space, a line end or a letter beyond ASCII.',
      hint: 'Copy it again, without what stands around it.',
    },
    'server/unauthorized': {
      message: '{{name}} does not let this computer in.',
      hint: 'It wants a token, or refuses the one it got. Add the server again with a valid one.',
    },
    'server/no-mcp': {
      message:
        '{{name}} does not speak MCP at this address: it answered {{first}} over streamable HTTP and {{second}} over SSE.',
      hint: 'Check the path of the address; it often ends in /mcp or /sse.',
    },
    'server/changed': {
      message: 'This tool of {{name}} has changed since you approved it, or is new. It is off until you have looked.',
      hint: 'Open Servers in Spaces and review it.',
    },
    'server/changed-outside': {
      message: 'Where {{name}} is, or what it runs, was written outside of this app. It is not used.',
      hint: 'Open Servers in Spaces, look at it, and confirm it.',
    },
    'server/file-unreadable': {
      message: '{{file}} cannot be read. It was left as it is, and no server is used.',
      hint: 'Correct the file, or move it away to start anew.',
    },
    'hub/offline': {
      message: 'Hugging Face cannot be reached. Nothing was changed.',
      hint: 'Check the network. Tools of the robot itself work all the same.',
    },
    'hub/error': {
      message: 'Hugging Face answered with an error. Nothing was changed.',
      hint: 'Try again in a few minutes.',
    },
    'hub/rate-limited': {
      message: 'Hugging Face asks for a pause.',
      hint: 'Try again in {{seconds}} s.',
    },
    'hub/token-rejected': {
      message: 'Hugging Face refused the token.',
      hint: 'Replace it in Settings, or remove it to go on without an account.',
    },
    'hub/bad-endpoint': {
      message: 'HF_ENDPOINT is not an address that can be used.',
      hint: 'It must be https, or http on this computer, without user name or query. Restart the app afterwards.',
    },
    'tools/unknown': { message: 'There is no tool {{id}}.', hint: 'The list of tools has the right IDs.' },
    'tools/not-enabled': {
      message: '{{id}} is not in this profile, so it was not called.',
      hint: 'Switch it on in Profiles.',
    },
    'tools/unavailable': {
      message: '{{id}} cannot be used here: {{reason}}.',
      hint: 'Everything else works.',
    },
    'tools/duplicate-name': {
      message: 'Two sources offer a tool {{id}}: {{first}} and {{second}}.',
      hint: 'A tool of the robot itself is used all the same; of others neither is, until one is removed or renamed.',
    },
    'tools/bad-arguments': {
      message: 'The arguments of {{id}} do not fit: {{reason}}. Nothing was sent.',
      hint: 'Correct them and call again.',
    },
    'tools/needs-approval': {
      message: '{{id}} needs your approval first.',
      hint: 'Allow it in the app or on a terminal; tool-spaces add allows the tools of a Space.',
    },
    'tools/denied': {
      message: '{{id}} was not allowed.',
      hint: 'Ask for it again to decide anew; what a profile refuses is changed under Profiles.',
    },
    'tools/failed': { message: '{{id}} did not work.', hint: 'What it answered is shown with the call.' },
    'tools/timeout': { message: '{{id}} took longer than {{seconds}} s.', hint: 'Try again, or ask for less.' },
    'tools/cancelled': { message: '{{id}} was stopped.', hint: 'Nothing of it is used.' },
    'tools/unknown-id': { message: 'No tool has the ID {{id}}.', hint: 'Correct the line or remove it.' },
    'tools/duplicate-line': { message: '{{id}} is listed more than once.', hint: 'The first line counts.' },
    'tools/space-not-installed': {
      message: 'The Space of {{id}} is not installed.',
      hint: 'Install the Space or remove the line.',
    },
    'tools/no-longer-offered': {
      message: 'Its Space no longer offers {{id}}.',
      hint: 'Remove the line, or refresh the Space.',
    },
    'tools/renamed': { message: '{{id}} is now called {{to}}.', hint: 'Replace the old name.' },
    'tools/inline-comment': {
      message: 'The robot’s own app up to 0.10 does not understand a comment behind an ID.',
      hint: 'Put the comment on a line of its own.',
    },
    'tools/bom': {
      message:
        'The file begins with a byte order mark, which the robot’s own app up to 0.10 takes for part of the first ID.',
      hint: 'Remove the mark if that app reads this profile.',
    },
    'tools/bad-schema': {
      message: 'The server describes the parameters of this tool in a way that cannot be used.',
      hint: 'Only the owner of the Space can repair it.',
    },
    'tools/bad-tool-name': {
      message: 'This tool has no usable name.',
      hint: 'Only the owner of the Space can repair it.',
    },
    'tools/schema-unusable': {
      message: 'The server refuses every call of this tool ({{reason}}).',
      hint: 'Only the owner of the Space can repair it.',
    },
    'tools/too-large': { message: 'The description of this tool is too large.', hint: 'It is not offered.' },
    'profile/not-found': { message: 'There is no profile {{name}}.', hint: 'The list of profiles has the names.' },
    'profile/bad-name': {
      message: '“{{name}}” cannot be the name of a profile.',
      hint: 'Use 1 to 64 letters, digits, _ or -.',
    },
    'profile/exists': { message: 'There is a profile {{name}} already.', hint: 'Choose another name.' },
    'profile/unreadable': {
      message: '{{file}} of {{name}} cannot be read. The file was not touched.',
      hint: 'The profile default is used until it is repaired.',
    },
    'profile/not-utf8': {
      message: '{{file}} is not UTF-8 text (byte {{position}}). It is shown and never written.',
      hint: 'Save it as UTF-8 in a text editor.',
    },
    'profile/read-only': {
      message: '{{file}} cannot be written here.',
      hint: 'Change it with the program that owns it.',
    },
    'profile/unknown-placeholder': {
      message: '{{placeholder}} is not a known placeholder; the robot would read it out.',
      hint: 'Remove the line, or make it a heading.',
    },
    'profile/long-prompt': {
      message: 'The instructions are long ({{characters}} characters).',
      hint: 'Voice models follow short instructions better; aim below 1,500.',
    },
    'profile/changed-outside': {
      message: '{{name}} was changed by another program. Nothing was written.',
      hint: 'Look at the new text, then save again.',
    },
    'manifest/unreadable': {
      message: 'The list of installed Spaces cannot be read. It was not touched.',
      hint: 'Repair or remove {{file}}; until then no Space tool is used.',
    },
    'manifest/newer': {
      message: 'What is kept about installed Spaces was written by a newer version. Nothing of it is changed.',
      hint: 'Update this app. Until then nothing is written to {{file}}.',
    },
    'manifest/bad-entry': {
      message: 'One entry of the list of installed Spaces is not usable ({{reason}}). It is kept apart.',
      hint: 'Add the Space again.',
    },
    'manifest/instance-gone': {
      message:
        'The folder {{path}} of a robot app is not there. Its list of Spaces is not used, and nothing is written.',
      hint: 'Bring the folder back, or return to the list of this app.',
    },
    'robot/not-found': { message: 'There is no robot {{id}}.', hint: 'The simulator is always there.' },
    'robot/bad-place': {
      message: 'This is neither a serial port nor an address.',
      hint: 'A port is /dev/ttyACM0 or COM3, an address reachy-mini.local or 192.168.1.20.',
    },
    'robot/busy': { message: 'Another program is using the robot.', hint: 'Close it, then try again.' },
    'robot/no-permission': {
      message: 'This account may not use the robot’s port.',
      hint: 'The Robot screen has the command.',
    },
    'robot/no-power': {
      message: 'The robot answers, its motors do not.',
      hint: 'Switch its power supply on.',
    },
    'robot/missing-motors': {
      message: 'Some motors do not answer: {{names}}.',
      hint: 'Check the cable after the last one that does.',
    },
    'robot/unknown-device': { message: 'This device is not a Reachy Mini.', hint: 'Nothing was written to it.' },
    'robot/unreadable': {
      message: 'What comes from this port cannot be read.',
      hint: 'Check the cable. It may be another device.',
    },
    'robot/old-daemon': {
      message: 'The software of this robot is too old: {{version}}.',
      hint: 'Update the robot, or connect it by its cable.',
    },
    'robot/unreachable': {
      message: 'The robot does not answer.',
      hint: 'Is it switched on, plugged in or in the same network? It is tried again by itself.',
    },
    'robot/disconnected': {
      message: 'The robot is no longer connected.',
      hint: 'It is used again as soon as it is back.',
    },
    'robot/overload': {
      message: 'A motor switched itself off: {{names}}.',
      hint: 'Support the head, then restart the motor.',
    },
    'robot/out-of-range': {
      message: 'These joints are turned beyond their range: {{names}}.',
      hint: 'Turn them back by hand. If they look right, a motor is mounted wrong.',
    },
    'robot/out-of-reach': { message: 'The robot cannot reach that pose.', hint: 'It stays where it is.' },
    'robot/stopped': {
      message: 'The motors are off after an emergency stop.',
      hint: 'Enable them when nothing is in the way.',
    },
    'robot/unknown-move': { message: 'There is no move {{name}}.', hint: 'The Emotions palette shows all of them.' },
    'move/unreadable': {
      message: '{{name}} is no recorded move. Nothing was taken over.',
      hint: 'It has to be a JSON file with time and set_target_data.',
    },
    'move/empty': {
      message: '{{name}} holds no motion. Nothing was taken over.',
      hint: 'A move has at least two samples at different times.',
    },
    'move/broken': {
      message: 'Most samples of {{name}} are broken. Nothing was taken over.',
      hint: 'Record or download it again.',
    },
    'move/too-large': {
      message: '{{name}} is too large for a move. Nothing was taken over.',
      hint: 'A move may have {{limit}}.',
    },
    'move/too-long': {
      message: '{{name}} takes {{seconds}} s, which is too long. Nothing was taken over.',
      hint: 'A move may take {{limit}} s. Cut it into parts.',
    },
    'move/bad-name': {
      message: '“{{text}}” cannot be the name of a move.',
      hint: 'Use letters, digits, - and _, at most 60.',
    },
    'move/exists': { message: 'You have a move {{name}} already. Nothing was changed.', hint: 'Choose another name.' },
    'move/not-yours': {
      message: '{{name}} is not one of your own moves. Nothing was changed.',
      hint: 'Only moves that you recorded or imported can be changed.',
    },
    'move/no-recording': { message: 'No move is being recorded.', hint: 'Start a recording first.' },
    'library/unknown': { message: 'There is no library {{id}}.', hint: 'Choose one of the list.' },
    'library/not-found': {
      message: 'The library {{id}} is not on the Hub, or is private.',
      hint: 'Try again later; the moves that are here stay.',
    },
    'library/damaged': {
      message: '{{path}} did not arrive as it was sent. It was thrown away.',
      hint: 'Download again: only what is missing is fetched.',
    },
    'library/no-moves': { message: '{{id}} holds no moves that can be read.', hint: 'The moves that are here stay.' },
    'library/too-large': {
      message: '{{id}} is larger than a library of moves may be ({{limit}}). Nothing was downloaded.',
      hint: 'Only its owner can change that.',
    },
    'provider/none': {
      message: 'No language model is set up.',
      hint: 'Choose one in Settings; the offline brain answers until then.',
    },
    'provider/unauthorized': {
      message: 'The key was refused. Your message is kept.',
      hint: 'Check the key in Settings, or let the offline brain answer.',
    },
    'provider/unreachable': {
      message: 'The model’s address cannot be reached. Your message is kept.',
      hint: 'Check the address and the network, or let the offline brain answer.',
    },
    'provider/dropped': {
      message: 'The answer broke off. What had arrived is kept.',
      hint: 'Send again to continue.',
    },
    'provider/rate-limited': {
      message: 'The model gets too many requests.',
      hint: 'Wait a moment, then send again.',
    },
    'provider/no-tools': { message: 'This model cannot call tools.', hint: 'Choose another one in Settings.' },
    'provider/error': {
      message: 'The model’s server answered with an error ({{status}}): {{reason}}. Your message is kept.',
      hint: 'Check the address and the model’s name in Settings.',
    },
    'provider/bad-address': {
      message: 'This address cannot be used for a model.',
      hint: 'It must begin with https://, or with http:// on this computer.',
    },
    'tools/not-allowed': {
      message: '{{id}} is not allowed to run yet. Nothing of it was run.',
      hint: 'Read the file, then allow it under Profiles, or with tools allow {{id}}.',
    },
    'tools/file-changed': {
      message: '{{path}} has changed since it was allowed. It was not run.',
      hint: 'Read the new text, then allow it again.',
    },
    'tools/bad-file': {
      message: '{{path}} offers no tool: {{reason}}',
      hint: 'Correct the file; it is noticed when it is saved.',
    },
    'tools/bad-answer': {
      message: '{{id}} answered with something that cannot be used: {{reason}}',
      hint: 'A tool answers with an object that JSON can hold.',
    },
    'tools/not-started': {
      message: '{{id}} could not be started: {{reason}}',
      hint: 'Its log under Profiles says more.',
    },
    'tools/crashed': {
      message: 'The process of {{id}} ended in the middle of the call: {{reason}}',
      hint: 'It starts anew at the next call. Its log under Profiles says more.',
    },
    'tools/no-python': {
      message: '{{id}} needs Python 3.10 or newer, which was not found on this computer.',
      hint: 'Install Python from python.org, then restart the app.',
    },
    'tools/unmentioned': {
      message: 'The prompt never mentions: {{names}}',
      hint: 'A model uses a tool more readily when the prompt says what it is for.',
    },
    'profile/in-use': {
      message: '{{name}} is in use, so it was not removed.',
      hint: 'Use another profile first.',
    },
    'profile/shipped': {
      message: '{{name}} comes with the app and stays as it is.',
      hint: 'Hide it, or make a copy and change that.',
    },
    'profile/bad-repair': {
      message: '{{file}} can no longer be repaired in this way. It was left as it is.',
      hint: 'Look at it again.',
    },
    'profile/bad-front-matter': {
      message: '{{file}}: {{reason}} The file was left as it is.',
      hint: 'Correct it in a text editor; it is noticed at once.',
    },
    'profile/unknown-key': {
      message: 'profile.md has keys that the robot app does not know: {{keys}}.',
      hint: 'The robot app refuses such a file. Remove them in a text editor.',
    },
    'profile/newer': {
      message: '{{file}} was written by a newer robot app (version {{version}}). It is shown and not changed.',
      hint: 'Update this app to edit it.',
    },
    'profile/two-formats': {
      message: '{{name}} has both profile.md and text files, and they differ. The text files are shown here.',
      hint: 'The robot app reads profile.md from version 0.11 on and the text files before.',
    },
    'profile/not-held': {
      message: '{{file}} cannot hold this: {{what}}',
      hint: 'It stays in the profile here.',
    },
    'profile/bad-archive': {
      message: '{{path}} is no zip that can be read. Nothing was taken over.',
      hint: 'Make it again, or choose the folder instead.',
    },
    'profile/no-profiles': {
      message: 'No profile was found in {{path}}.',
      hint: 'A profile is a folder with instructions.txt, tools.txt or profile.md.',
    },
    'profile/refused-entry': {
      message: '{{entry}} was left out: {{reason}}',
      hint: 'The rest is not affected.',
    },
    'profile/too-large': {
      message: '{{path}} is larger than {{limit}}. Nothing was taken over.',
      hint: 'Choose the folder of a single profile.',
    },
    'profile/python-not-copied': {
      message: '{{file}} is a tool of its own and was not copied.',
      hint: 'Import again with tool files if you trust where it comes from.',
    },
    'profile/orphan-toolset': {
      message: '{{file}} lists tools for {{name}}, which does not exist.',
      hint: 'The entry does no harm and can be removed.',
    },
    'profile/toolsets-unreadable': {
      message:
        '{{file}} cannot be read: {{reason}} The tools of the profiles themselves are shown, and the file is not changed.',
      hint: 'Correct it in a text editor.',
    },
    'profile/unknown-voice': {
      message: 'The robot app has no voice {{voice}}; it would speak with {{default}}.',
      hint: 'Choose one of the voices it has.',
    },
    'profile/many-tools': {
      message: '{{count}} tools are on. Above {{limit}}, models are seen to choose worse.',
      hint: 'Switch off what this profile does not need.',
    },
    'storage/failed': {
      message: '{{path}} could not be read or written. Everything is as before.',
      hint: 'Check free space and permissions.',
    },
    'storage/locked': {
      message: 'Another window or command is writing. Nothing was changed.',
      hint: 'Try again in a few seconds.',
    },
    'storage/conflict': {
      message: '{{path}} has changed since. It was left as it is.',
      hint: 'Make the change by hand if it is still wanted.',
    },
    'secrets/unavailable': {
      message: 'Secrets cannot be stored here.',
      hint: 'Set HF_TOKEN or OPENAI_API_KEY in the environment.',
    },
    'cli/usage': { message: '{{reason}}', hint: 'reachy-mini-companion --help lists the commands.' },
    'cli/not-available-yet': {
      message: '“{{command}}” is not available yet.',
      hint: 'reachy-mini-companion --help lists what is.',
    },
    'ipc/forbidden': { message: 'This request came from a page that may not ask.', hint: 'Restart the app.' },
    'ipc/no-route': { message: 'There is no such request.', hint: 'Restart the app.' },
    'ipc/invalid': { message: 'The request was malformed. Nothing was done.', hint: 'Check what was typed.' },
    'app/cancelled': { message: 'Cancelled. Nothing was changed.', hint: 'Start again at any time.' },
    'app/internal': {
      message: 'Something unexpected went wrong.',
      hint: 'The log says more. Try again, or restart the app.',
    },
  },
  'zh-CN': {
    'space/bad-name': {
      message: '“{{text}}”不是 Space 的名称。',
      hint: '请输入 owner/name，或粘贴 huggingface.co 或 hf.space 的链接。',
    },
    'space/not-found': {
      message: '没有 {{slug}} 这个 Space，或者它是私有的。',
      hint: '请检查拼写。私有 Space 需要在设置中添加 Hugging Face 令牌。',
    },
    'space/gated': { message: '需要先申请访问 {{slug}}。', hint: '在 Hugging Face 上打开它的页面申请访问，然后重试。' },
    'space/disabled': { message: 'Hugging Face 已停用 {{slug}}。', hint: '无法安装。' },
    'space/wrong-sdk': {
      message: '{{slug}} 是 {{sdk}} Space，只有 Gradio Space 能提供工具。',
      hint: '请查找带有 mcp-server 标签的 Space。',
    },
    'space/not-running': {
      message: '{{slug}} {{state}}。未作任何更改。',
      hint: '如果正在启动或构建，请几分钟后重试；否则只有所有者能处理，详情见它的 Hugging Face 页面。',
    },
    'space/asleep': { message: '{{slug}} 正在休眠，没有及时醒来。', hint: '请一分钟后重试；大型 Space 需要更久。' },
    'space/no-mcp': { message: '{{slug}} 没有提供工具，未安装任何内容。', hint: '需要所有者开启它的 MCP 服务器。' },
    'space/no-tools': { message: '{{slug}} 没有可用的工具，未安装任何内容。', hint: '只有所有者能改变这一点。' },
    'space/dropped': {
      message: '{{slug}} 在回答之前断开了连接。',
      hint: '请重试。如果每次都这样，说明该 Space 有故障。',
    },
    'space/timeout': { message: '{{slug}} 在 {{seconds}} 秒内没有回答。', hint: '它可能很忙，请稍后重试。' },
    'space/crashed': { message: '{{slug}} 的工具服务器已崩溃。', hint: '需要所有者重新启动该 Space。' },
    'space/rate-limited': { message: '对 {{slug}} 的请求过多。', hint: '请等待 {{seconds}} 秒后重试。' },
    'space/alias-conflict': {
      message: '{{slug}} 与 {{other}} 的工具名称会相同，未安装任何内容。',
      hint: '请先移除 {{other}}。',
    },
    'space/not-installed': { message: '{{slug}} 没有安装。', hint: '已安装列表中有正确的名称。' },
    'space/bad-origin': {
      message: '{{slug}} 的地址不在 hf.space 上，没有连接。',
      hint: '如果已经安装，请移除后重新添加；如果没有安装，则无法添加。',
    },
    'space/changed': { message: '这个工具在您批准之后有了变化，查看之前保持关闭。', hint: '打开它的 Space 查看变化。' },
    'space/unauthorized': {
      message: '{{slug}} 不允许本机访问。',
      hint: '它可能已变为私有，请检查设置中的 Hugging Face 令牌。',
    },
    'space/unreachable': { message: '无法连接 {{slug}}。', hint: '请检查网络后重试。' },
    'space/protocol': { message: '{{slug}} 的回答不像工具服务器。', hint: '该 Space 对本应用来说可能太旧或太新。' },
    'space/too-large': { message: '与 {{slug}} 传输的内容超过了上限。', hint: '请使用更小的输入。' },
    'space/file-gone': {
      message: '{{slug}} 不提供或不再提供这个文件。',
      hint: '结果中的文件只保留很短时间，请再次调用该工具。',
    },
    'server/bad-name': {
      message: '“{{name}}”不能作为服务器名称。',
      hint: '请使用字母、数字和单个下划线，以字母开头，且不以下划线结尾。',
    },
    'server/bad-address': {
      message: '“{{url}}”不能作为服务器地址。',
      hint: '地址须以 https:// 开头；本机或局域网也可用 http://。',
    },
    'server/bad-entry': {
      message: '服务器列表中有一项无法读取：{{reason}}。',
      hint: '其他服务器不受影响。可打开文件进行修正。',
    },
    'server/exists': {
      message: '名称 {{name}} 已被占用：{{reason}}。',
      hint: '请换一个名称，或先移除原有的那一个。',
    },
    'server/not-installed': {
      message: '没有名为 {{name}} 的服务器。',
      hint: '服务器列表中有它们的名称。',
    },
    'server/not-started': {
      message: '无法启动 {{command}}：{{reason}}。',
      hint: '请确认程序已安装且路径正确。',
    },
    'server/exited': {
      message: '{{name}} 的程序已退出，代码 {{exitCode}}。{{reason}}',
      hint: '请检查参数后重试。',
    },
    'server/insecure': {
      message: '{{name}} 的令牌将以明文发送。未发送任何内容。',
      hint: '请使用 https 地址，或为此服务器单独允许。',
    },
    'server/no-token': {
      message: '未设置存放 {{name}} 令牌的变量 {{variable}}。未发送任何内容。',
      hint: '请在启动应用前设置该变量，或在应用中为此服务器保存令牌。',
    },
    'server/bad-token': {
      message: '{{name}} 的这个令牌无法发送：其中含有空格、换行或非 ASCII 字符。',
      hint: '请重新复制，不要带上前后的内容。',
    },
    'server/unauthorized': {
      message: '{{name}} 拒绝了这台电脑的访问。',
      hint: '它需要令牌，或不接受收到的令牌。请用有效令牌重新添加该服务器。',
    },
    'server/no-mcp': {
      message: '{{name}} 在此地址不提供 MCP：Streamable HTTP 返回 {{first}}，SSE 返回 {{second}}。',
      hint: '请检查地址的路径，通常以 /mcp 或 /sse 结尾。',
    },
    'server/changed': {
      message: '{{name}} 的这个工具在你批准之后有改动，或是新增的。查看之前它保持关闭。',
      hint: '请在 Spaces 的“服务器”中查看。',
    },
    'server/changed-outside': {
      message: '{{name}} 的地址或所运行的程序是在本应用之外写入的，因此没有使用。',
      hint: '请在 Spaces 的“服务器”中查看并确认。',
    },
    'server/file-unreadable': {
      message: '无法读取 {{file}}。文件未改动，暂不使用任何服务器。',
      hint: '请修正该文件，或将其移走后重新开始。',
    },
    'hub/offline': { message: '无法连接 Hugging Face。未作任何更改。', hint: '请检查网络。机器人自身的工具照常可用。' },
    'hub/error': { message: 'Hugging Face 返回了错误。未作任何更改。', hint: '请几分钟后重试。' },
    'hub/rate-limited': { message: 'Hugging Face 要求稍等。', hint: '请 {{seconds}} 秒后重试。' },
    'hub/token-rejected': { message: 'Hugging Face 拒绝了令牌。', hint: '请在设置中更换，或删除它以不使用账户。' },
    'hub/bad-endpoint': {
      message: 'HF_ENDPOINT 不是可用的地址。',
      hint: '必须是 https，或本机的 http，不能带用户名或查询。修改后请重启应用。',
    },
    'tools/unknown': { message: '没有工具 {{id}}。', hint: '工具列表中有正确的 ID。' },
    'tools/not-enabled': { message: '这个角色没有启用 {{id}}，因此没有调用。', hint: '请在“角色”中打开它。' },
    'tools/unavailable': { message: '{{id}} 在这里不可用：{{reason}}。', hint: '其他一切正常。' },
    'tools/duplicate-name': {
      message: '{{first}} 和 {{second}} 都提供工具 {{id}}。',
      hint: '机器人自带的工具仍然使用；其他来源的都不使用，直到移除或重命名其中一个。',
    },
    'tools/bad-arguments': {
      message: '{{id}} 的参数不合适：{{reason}}。没有发送任何内容。',
      hint: '请改正后再次调用。',
    },
    'tools/needs-approval': {
      message: '{{id}} 需要您先批准。',
      hint: '请在应用或终端中允许；tool-spaces add 会允许一个 Space 的工具。',
    },
    'tools/denied': {
      message: '没有允许 {{id}}。',
      hint: '再次请求即可重新决定；角色拒绝的工具可在“角色”中更改。',
    },
    'tools/failed': { message: '{{id}} 没有成功。', hint: '它的回答显示在调用旁。' },
    'tools/timeout': { message: '{{id}} 超过了 {{seconds}} 秒。', hint: '请重试，或减少要求。' },
    'tools/cancelled': { message: '{{id}} 已停止。', hint: '它的任何结果都不会使用。' },
    'tools/unknown-id': { message: '没有 ID 为 {{id}} 的工具。', hint: '请改正或删除这一行。' },
    'tools/duplicate-line': { message: '{{id}} 出现了多次。', hint: '以第一行为准。' },
    'tools/space-not-installed': { message: '{{id}} 所属的 Space 没有安装。', hint: '请安装该 Space 或删除这一行。' },
    'tools/no-longer-offered': { message: '该 Space 不再提供 {{id}}。', hint: '请删除这一行，或刷新该 Space。' },
    'tools/renamed': { message: '{{id}} 现在叫 {{to}}。', hint: '请替换旧名称。' },
    'tools/inline-comment': {
      message: '机器人自带应用（0.10 及以前）不认识 ID 后面的注释。',
      hint: '请把注释放在单独一行。',
    },
    'tools/bom': {
      message: '文件以字节顺序标记开头，机器人自带应用（0.10 及以前）会把它当作第一个 ID 的一部分。',
      hint: '如果该应用要读取这个角色，请删除标记。',
    },
    'tools/bad-schema': { message: '服务器对这个工具参数的描述无法使用。', hint: '只有 Space 的所有者能修复。' },
    'tools/bad-tool-name': { message: '这个工具没有可用的名称。', hint: '只有 Space 的所有者能修复。' },
    'tools/schema-unusable': {
      message: '服务器会拒绝这个工具的所有调用（{{reason}}）。',
      hint: '只有 Space 的所有者能修复。',
    },
    'tools/too-large': { message: '这个工具的描述太大。', hint: '不会提供它。' },
    'profile/not-found': { message: '没有角色 {{name}}。', hint: '角色列表中有正确的名称。' },
    'profile/bad-name': { message: '“{{name}}”不能作为角色名称。', hint: '请使用 1 到 64 个字母、数字、_ 或 -。' },
    'profile/exists': { message: '已经有角色 {{name}}。', hint: '请选择其他名称。' },
    'profile/unreadable': {
      message: '无法读取 {{name}} 的 {{file}}，文件未改动。',
      hint: '修复之前使用 default 角色。',
    },
    'profile/not-utf8': {
      message: '{{file}} 不是 UTF-8 文本（字节 {{position}}），只显示，不写入。',
      hint: '请用文本编辑器另存为 UTF-8。',
    },
    'profile/read-only': { message: '{{file}} 在这里不能写入。', hint: '请用它所属的程序修改。' },
    'profile/unknown-placeholder': {
      message: '{{placeholder}} 不是已知的占位符，机器人会把它读出来。',
      hint: '请删除这一行，或改成标题。',
    },
    'profile/long-prompt': {
      message: '指令较长（{{characters}} 个字符）。',
      hint: '语音模型更容易遵循简短的指令，建议少于 1,500 个字符。',
    },
    'profile/changed-outside': {
      message: '{{name}} 被其他程序修改了，没有写入任何内容。',
      hint: '请查看新文本，然后再次保存。',
    },
    'manifest/unreadable': {
      message: '无法读取已安装 Space 的列表，文件未改动。',
      hint: '请修复或删除 {{file}}；在此之前不使用任何 Space 工具。',
    },
    'manifest/newer': {
      message: '关于已安装 Space 的数据由更新的版本写入，未作任何更改。',
      hint: '请更新本应用。在那之前不会写入 {{file}}。',
    },
    'manifest/bad-entry': {
      message: '已安装 Space 列表中有一项不可用（{{reason}}），已单独保存。',
      hint: '请重新添加该 Space。',
    },
    'manifest/instance-gone': {
      message: '找不到机器人应用的文件夹 {{path}}。不使用它的 Space 列表，也不写入任何内容。',
      hint: '请恢复该文件夹，或改回本应用自己的列表。',
    },
    'robot/not-found': { message: '没有机器人 {{id}}。', hint: '模拟器始终可用。' },
    'robot/bad-place': {
      message: '这既不是串口，也不是地址。',
      hint: '串口如 /dev/ttyACM0 或 COM3，地址如 reachy-mini.local 或 192.168.1.20。',
    },
    'robot/busy': { message: '其他程序正在使用机器人。', hint: '请关闭它后重试。' },
    'robot/no-permission': { message: '当前账户不能使用机器人的端口。', hint: '“机器人”页面有相应的命令。' },
    'robot/no-power': { message: '机器人有响应，但电机没有。', hint: '请打开它的电源。' },
    'robot/missing-motors': {
      message: '有些电机没有响应：{{names}}。',
      hint: '请检查最后一个有响应的电机之后的线缆。',
    },
    'robot/unknown-device': { message: '这个设备不是 Reachy Mini。', hint: '没有向它写入任何内容。' },
    'robot/unreadable': { message: '无法读懂这个端口传来的内容。', hint: '请检查线缆，也可能是其他设备。' },
    'robot/old-daemon': { message: '这个机器人的软件太旧：{{version}}。', hint: '请更新机器人，或用线缆连接。' },
    'robot/unreachable': { message: '机器人没有响应。', hint: '它打开了吗？插好了吗？在同一网络中吗？会自动重试。' },
    'robot/disconnected': { message: '机器人已断开。', hint: '重新连接后会立即恢复使用。' },
    'robot/overload': { message: '有电机自行关闭：{{names}}。', hint: '请托住头部，然后重启电机。' },
    'robot/out-of-range': {
      message: '这些关节超出了活动范围：{{names}}。',
      hint: '请用手转回。如果看起来正常，可能是电机安装有误。',
    },
    'robot/out-of-reach': { message: '机器人无法到达这个姿态。', hint: '它保持不动。' },
    'robot/stopped': { message: '紧急停止后电机已关闭。', hint: '确认周围没有障碍后再启用。' },
    'robot/unknown-move': { message: '没有动作 {{name}}。', hint: '情绪面板中有全部动作。' },
    'move/unreadable': {
      message: '{{name}} 不是录制的动作，未导入。',
      hint: '文件必须是包含 time 和 set_target_data 的 JSON。',
    },
    'move/empty': { message: '{{name}} 中没有动作，未导入。', hint: '一个动作至少要有两个不同时刻的采样。' },
    'move/broken': { message: '{{name}} 的大部分采样已损坏，未导入。', hint: '请重新录制或下载。' },
    'move/too-large': { message: '{{name}} 太大，不能作为动作，未导入。', hint: '一个动作最多 {{limit}}。' },
    'move/too-long': {
      message: '{{name}} 长达 {{seconds}} 秒，太长了，未导入。',
      hint: '一个动作最多 {{limit}} 秒，请分成几段。',
    },
    'move/bad-name': { message: '“{{text}}”不能用作动作名称。', hint: '请使用字母、数字、- 和 _，最多 60 个字符。' },
    'move/exists': { message: '已经有名为 {{name}} 的动作，未作更改。', hint: '请换一个名称。' },
    'move/not-yours': { message: '{{name}} 不是您自己的动作，未作更改。', hint: '只能更改您录制或导入的动作。' },
    'move/no-recording': { message: '现在没有在录制动作。', hint: '请先开始录制。' },
    'library/unknown': { message: '没有动作库 {{id}}。', hint: '请从列表中选择。' },
    'library/not-found': {
      message: 'Hub 上没有动作库 {{id}}，或者它是私有的。',
      hint: '请稍后再试；已有的动作会保留。',
    },
    'library/damaged': { message: '{{path}} 传输时损坏，已丢弃。', hint: '请再次下载：只会获取缺少的部分。' },
    'library/no-moves': { message: '{{id}} 中没有可读取的动作。', hint: '已有的动作会保留。' },
    'library/too-large': {
      message: '{{id}} 超过了动作库的大小上限（{{limit}}），未下载。',
      hint: '只有其所有者可以更改。',
    },
    'provider/none': { message: '还没有设置语言模型。', hint: '请在设置中选择；在此之前由离线大脑回答。' },
    'provider/unauthorized': { message: '密钥被拒绝，消息已保留。', hint: '请检查设置中的密钥，或先用离线大脑回答。' },
    'provider/unreachable': {
      message: '无法连接模型的地址，消息已保留。',
      hint: '请检查地址和网络，或先用离线大脑回答。',
    },
    'provider/dropped': { message: '回答中断了，已收到的内容会保留。', hint: '再次发送即可继续。' },
    'provider/rate-limited': { message: '对模型的请求过多。', hint: '请稍等后再发送。' },
    'provider/no-tools': { message: '这个模型不能调用工具。', hint: '请在设置中选择其他模型。' },
    'provider/error': {
      message: '模型服务器返回了错误（{{status}}）：{{reason}}。消息已保留。',
      hint: '请检查设置中的地址和模型名称。',
    },
    'provider/bad-address': { message: '这个地址不能用于模型。', hint: '必须以 https:// 开头，本机可以用 http://。' },
    'tools/not-allowed': {
      message: '{{id}} 还没有获准运行，其中的内容都未执行。',
      hint: '请先查看文件，然后在“角色”中允许，或使用 tools allow {{id}}。',
    },
    'tools/file-changed': {
      message: '{{path}} 在获准之后有改动，因此没有运行。',
      hint: '请查看新内容，然后重新允许。',
    },
    'tools/bad-file': {
      message: '{{path}} 没有提供工具：{{reason}}',
      hint: '请修改文件，保存后会自动识别。',
    },
    'tools/bad-answer': {
      message: '{{id}} 的回答无法使用：{{reason}}',
      hint: '工具应返回可以用 JSON 表示的对象。',
    },
    'tools/not-started': {
      message: '{{id}} 无法启动：{{reason}}',
      hint: '“角色”中的日志有更多信息。',
    },
    'tools/crashed': {
      message: '{{id}} 的进程在调用过程中结束：{{reason}}',
      hint: '下次调用时会重新启动。“角色”中的日志有更多信息。',
    },
    'tools/no-python': {
      message: '{{id}} 需要 Python 3.10 或更高版本，但在这台电脑上没有找到。',
      hint: '请从 python.org 安装 Python，然后重新启动应用。',
    },
    'tools/unmentioned': {
      message: '提示词从未提到：{{names}}',
      hint: '如果提示词说明工具的用途，模型会更愿意使用它。',
    },
    'profile/in-use': {
      message: '{{name}} 正在使用中，因此没有删除。',
      hint: '请先换用另一个角色。',
    },
    'profile/shipped': {
      message: '{{name}} 是应用自带的角色，会保持原样。',
      hint: '可以将它隐藏，或复制一份再修改。',
    },
    'profile/bad-repair': {
      message: '{{file}} 已不能以这种方式修复，文件未改动。',
      hint: '请重新查看。',
    },
    'profile/bad-front-matter': {
      message: '{{file}}：{{reason}} 文件未改动。',
      hint: '请用文本编辑器修改，改动会立即被发现。',
    },
    'profile/unknown-key': {
      message: 'profile.md 中有机器人应用不认识的键：{{keys}}。',
      hint: '机器人应用会拒绝这样的文件，请用文本编辑器删除。',
    },
    'profile/newer': {
      message: '{{file}} 由更新的机器人应用（版本 {{version}}）写入，仅供查看，不会改动。',
      hint: '请更新本应用后再编辑。',
    },
    'profile/two-formats': {
      message: '{{name}} 同时有 profile.md 和文本文件，且内容不同。此处显示文本文件。',
      hint: '机器人应用从 0.11 版起读取 profile.md，之前的版本读取文本文件。',
    },
    'profile/not-held': {
      message: '{{file}} 无法保存以下内容：{{what}}',
      hint: '这些内容会保留在本应用的角色中。',
    },
    'profile/bad-archive': {
      message: '{{path}} 不是可以读取的 zip 文件，没有导入任何内容。',
      hint: '请重新制作，或改为选择文件夹。',
    },
    'profile/no-profiles': {
      message: '在 {{path}} 中没有找到角色。',
      hint: '角色是包含 instructions.txt、tools.txt 或 profile.md 的文件夹。',
    },
    'profile/refused-entry': {
      message: '{{entry}} 已被忽略：{{reason}}',
      hint: '其余内容不受影响。',
    },
    'profile/too-large': {
      message: '{{path}} 超过 {{limit}}，没有导入任何内容。',
      hint: '请选择单个角色的文件夹。',
    },
    'profile/python-not-copied': {
      message: '{{file}} 是自带的工具文件，没有复制。',
      hint: '如果信任其来源，请在导入时一并选择工具文件。',
    },
    'profile/orphan-toolset': {
      message: '{{file}} 为不存在的 {{name}} 列出了工具。',
      hint: '该条目没有影响，可以删除。',
    },
    'profile/toolsets-unreadable': {
      message: '{{file}} 无法读取：{{reason}} 此处显示角色自身的工具，文件不会改动。',
      hint: '请用文本编辑器修改。',
    },
    'profile/unknown-voice': {
      message: '机器人应用没有名为 {{voice}} 的声音，会改用 {{default}}。',
      hint: '请选择它提供的声音。',
    },
    'profile/many-tools': {
      message: '已启用 {{count}} 个工具。超过 {{limit}} 个时，模型往往选得更差。',
      hint: '请关闭此角色不需要的工具。',
    },
    'storage/failed': { message: '无法读取或写入 {{path}}，一切保持原样。', hint: '请检查剩余空间和权限。' },
    'storage/locked': { message: '其他窗口或命令正在写入，未作任何更改。', hint: '请几秒后重试。' },
    'storage/conflict': { message: '{{path}} 之后又有变化，保持原样。', hint: '如果仍然需要，请手动修改。' },
    'secrets/unavailable': { message: '这里无法保存密钥。', hint: '请在环境变量中设置 HF_TOKEN 或 OPENAI_API_KEY。' },
    'cli/usage': { message: '{{reason}}', hint: 'reachy-mini-companion --help 会列出命令。' },
    'cli/not-available-yet': {
      message: '“{{command}}”还不可用。',
      hint: 'reachy-mini-companion --help 会列出可用的命令。',
    },
    'ipc/forbidden': { message: '这个请求来自不允许的页面。', hint: '请重启应用。' },
    'ipc/no-route': { message: '没有这样的请求。', hint: '请重启应用。' },
    'ipc/invalid': { message: '请求格式不正确，没有执行。', hint: '请检查输入的内容。' },
    'app/cancelled': { message: '已取消。未作任何更改。', hint: '可以随时重新开始。' },
    'app/internal': { message: '发生了意外错误。', hint: '日志中有详情。请重试或重启应用。' },
  },
  fr: {
    'space/bad-name': {
      message: '« {{text}} » n’est pas le nom d’un Space.',
      hint: 'Saisissez owner/name, ou collez un lien de huggingface.co ou hf.space.',
    },
    'space/not-found': {
      message: 'Le Space {{slug}} n’existe pas, ou il est privé.',
      hint: 'Vérifiez l’orthographe. Pour un Space privé, ajoutez un jeton Hugging Face dans les réglages.',
    },
    'space/gated': {
      message: 'L’accès à {{slug}} doit d’abord être demandé.',
      hint: 'Ouvrez sa page sur Hugging Face, demandez l’accès, puis réessayez.',
    },
    'space/disabled': { message: 'Hugging Face a désactivé {{slug}}.', hint: 'Il ne peut pas être installé.' },
    'space/wrong-sdk': {
      message: '{{slug}} est un Space {{sdk}}. Seuls les Spaces Gradio proposent des outils.',
      hint: 'Cherchez un Space avec l’étiquette mcp-server.',
    },
    'space/not-running': {
      message: '{{slug}} {{state}}. Rien n’a été modifié.',
      hint: 'S’il démarre ou est en construction, réessayez dans quelques minutes ; sinon seul son propriétaire peut agir. Sa page sur Hugging Face en dit plus.',
    },
    'space/asleep': {
      message: '{{slug}} était en veille et ne s’est pas réveillé à temps.',
      hint: 'Réessayez dans une minute ; les grands Spaces sont plus lents.',
    },
    'space/no-mcp': {
      message: '{{slug}} ne propose aucun outil. Rien n’a été installé.',
      hint: 'Son propriétaire doit activer son serveur MCP.',
    },
    'space/no-tools': {
      message: '{{slug}} ne propose aucun outil utilisable. Rien n’a été installé.',
      hint: 'Seul son propriétaire peut y remédier.',
    },
    'space/dropped': {
      message: '{{slug}} a coupé la connexion avant de répondre.',
      hint: 'Réessayez. Si cela se répète, le Space a un défaut.',
    },
    'space/timeout': {
      message: '{{slug}} n’a pas répondu en {{seconds}} s.',
      hint: 'Il est peut-être occupé. Réessayez dans un instant.',
    },
    'space/crashed': {
      message: 'Le serveur d’outils de {{slug}} s’est arrêté.',
      hint: 'Son propriétaire doit redémarrer le Space.',
    },
    'space/rate-limited': {
      message: '{{slug}} reçoit trop de requêtes.',
      hint: 'Attendez {{seconds}} s, puis réessayez.',
    },
    'space/alias-conflict': {
      message: '{{slug}} et {{other}} auraient les mêmes noms d’outils. Rien n’a été installé.',
      hint: 'Retirez d’abord {{other}}.',
    },
    'space/not-installed': {
      message: '{{slug}} n’est pas installé.',
      hint: 'La liste des Spaces installés donne les noms.',
    },
    'space/bad-origin': {
      message: '{{slug}} a une adresse hors de hf.space et n’a pas été contacté.',
      hint: 'S’il est installé, retirez-le, puis ajoutez-le de nouveau. Sinon, il ne peut pas être ajouté.',
    },
    'space/changed': {
      message: 'Cet outil a changé depuis votre accord. Il reste désactivé jusqu’à votre vérification.',
      hint: 'Ouvrez son Space et examinez le changement.',
    },
    'space/unauthorized': {
      message: '{{slug}} refuse l’accès à cet ordinateur.',
      hint: 'Il est peut-être devenu privé. Vérifiez le jeton Hugging Face dans les réglages.',
    },
    'space/unreachable': { message: '{{slug}} est injoignable.', hint: 'Vérifiez le réseau, puis réessayez.' },
    'space/protocol': {
      message: '{{slug}} n’a pas répondu comme un serveur d’outils.',
      hint: 'Le Space est peut-être trop ancien ou trop récent pour cette application.',
    },
    'space/too-large': {
      message: 'L’échange avec {{slug}} dépasse la taille permise.',
      hint: 'Réessayez avec une entrée plus petite.',
    },
    'space/file-gone': {
      message: '{{slug}} ne fournit pas ce fichier, ou ne le fournit plus.',
      hint: 'Les fichiers d’une réponse sont gardés peu de temps. Appelez de nouveau l’outil.',
    },
    'server/bad-name': {
      message: '« {{name}} » ne peut pas nommer un serveur.',
      hint: 'Utilisez des lettres, des chiffres et des tirets bas simples, en commençant par une lettre, sans tiret bas à la fin.',
    },
    'server/bad-address': {
      message: '« {{url}} » ne peut pas être l’adresse d’un serveur.',
      hint: 'Elle doit commencer par https://, ou par http:// sur cet ordinateur ou le réseau local.',
    },
    'server/bad-entry': {
      message: 'Une entrée de la liste des serveurs est illisible : {{reason}}.',
      hint: 'Les autres serveurs fonctionnent. Ouvrez le fichier pour la corriger.',
    },
    'server/exists': {
      message: '{{name}} est déjà pris : {{reason}}.',
      hint: 'Choisissez un autre nom, ou retirez d’abord l’autre.',
    },
    'server/not-installed': {
      message: 'Il n’y a pas de serveur {{name}}.',
      hint: 'La liste des serveurs montre leurs noms.',
    },
    'server/not-started': {
      message: '{{command}} n’a pas pu être lancé : {{reason}}.',
      hint: 'Vérifiez que le programme est installé et que son chemin est juste.',
    },
    'server/exited': {
      message: 'Le programme de {{name}} s’est terminé avec le code {{exitCode}}. {{reason}}',
      hint: 'Vérifiez ses arguments, puis réessayez.',
    },
    'server/insecure': {
      message: 'Le jeton de {{name}} serait envoyé en clair. Rien n’a été envoyé.',
      hint: 'Utilisez une adresse https, ou autorisez-le pour ce serveur.',
    },
    'server/no-token': {
      message: 'La variable {{variable}}, qui contient le jeton de {{name}}, n’est pas définie. Rien n’a été envoyé.',
      hint: 'Définissez-la avant de démarrer l’application, ou enregistrez un jeton pour ce serveur.',
    },
    'server/bad-token': {
      message:
        'Ce jeton de {{name}} ne peut pas être envoyé : il contient une espace, une fin de ligne ou un caractère hors ASCII.',
      hint: 'Copiez-le de nouveau, sans ce qui l’entoure.',
    },
    'server/unauthorized': {
      message: '{{name}} refuse l’accès à cet ordinateur.',
      hint: 'Il attend un jeton, ou refuse celui qu’il a reçu. Ajoutez de nouveau le serveur avec un jeton valable.',
    },
    'server/no-mcp': {
      message:
        '{{name}} ne parle pas MCP à cette adresse : il a répondu {{first}} en HTTP diffusé et {{second}} en SSE.',
      hint: 'Vérifiez le chemin de l’adresse ; il se termine souvent par /mcp ou /sse.',
    },
    'server/changed': {
      message:
        'Cet outil de {{name}} a changé depuis votre accord, ou il est nouveau. Il reste désactivé jusqu’à ce que vous l’ayez examiné.',
      hint: 'Ouvrez Serveurs dans Spaces et examinez-le.',
    },
    'server/changed-outside': {
      message:
        'L’adresse de {{name}}, ou ce qu’il exécute, a été écrit hors de cette application. Il n’est pas utilisé.',
      hint: 'Ouvrez Serveurs dans Spaces, examinez-le et confirmez.',
    },
    'server/file-unreadable': {
      message: '{{file}} est illisible. Il a été laissé tel quel, et aucun serveur n’est utilisé.',
      hint: 'Corrigez le fichier, ou déplacez-le pour repartir de zéro.',
    },
    'hub/offline': {
      message: 'Hugging Face est injoignable. Rien n’a été modifié.',
      hint: 'Vérifiez le réseau. Les outils du robot lui-même fonctionnent quand même.',
    },
    'hub/error': {
      message: 'Hugging Face a répondu par une erreur. Rien n’a été modifié.',
      hint: 'Réessayez dans quelques minutes.',
    },
    'hub/rate-limited': { message: 'Hugging Face demande une pause.', hint: 'Réessayez dans {{seconds}} s.' },
    'hub/token-rejected': {
      message: 'Hugging Face a refusé le jeton.',
      hint: 'Remplacez-le dans les réglages, ou supprimez-le pour continuer sans compte.',
    },
    'hub/bad-endpoint': {
      message: 'HF_ENDPOINT n’est pas une adresse utilisable.',
      hint: 'Il faut https, ou http sur cet ordinateur, sans nom d’utilisateur ni requête. Redémarrez ensuite l’application.',
    },
    'tools/unknown': {
      message: 'L’outil {{id}} n’existe pas.',
      hint: 'La liste des outils donne les bons identifiants.',
    },
    'tools/not-enabled': {
      message: '{{id}} n’est pas dans ce profil ; l’outil n’a pas été appelé.',
      hint: 'Activez-le dans Profils.',
    },
    'tools/unavailable': { message: '{{id}} est inutilisable ici : {{reason}}.', hint: 'Tout le reste fonctionne.' },
    'tools/duplicate-name': {
      message: '{{first}} et {{second}} proposent tous deux l’outil {{id}}.',
      hint: 'Un outil du robot lui-même reste utilisé ; des autres, aucun, jusqu’à ce que l’un soit retiré ou renommé.',
    },
    'tools/bad-arguments': {
      message: 'Les arguments de {{id}} ne conviennent pas : {{reason}}. Rien n’a été envoyé.',
      hint: 'Corrigez-les et appelez de nouveau.',
    },
    'tools/needs-approval': {
      message: '{{id}} demande d’abord votre accord.',
      hint: 'Autorisez-le dans l’application ou dans un terminal ; tool-spaces add autorise les outils d’un Space.',
    },
    'tools/denied': {
      message: '{{id}} n’a pas été autorisé.',
      hint: 'Demandez-le de nouveau pour décider autrement ; ce qu’un profil refuse se change dans Profils.',
    },
    'tools/failed': { message: '{{id}} n’a pas fonctionné.', hint: 'Sa réponse est affichée avec l’appel.' },
    'tools/timeout': { message: '{{id}} a dépassé {{seconds}} s.', hint: 'Réessayez, ou demandez moins.' },
    'tools/cancelled': { message: '{{id}} a été arrêté.', hint: 'Rien de son résultat n’est utilisé.' },
    'tools/unknown-id': { message: 'Aucun outil n’a l’identifiant {{id}}.', hint: 'Corrigez ou supprimez la ligne.' },
    'tools/duplicate-line': { message: '{{id}} figure plusieurs fois.', hint: 'La première ligne compte.' },
    'tools/space-not-installed': {
      message: 'Le Space de {{id}} n’est pas installé.',
      hint: 'Installez le Space ou supprimez la ligne.',
    },
    'tools/no-longer-offered': {
      message: 'Son Space ne propose plus {{id}}.',
      hint: 'Supprimez la ligne, ou actualisez le Space.',
    },
    'tools/renamed': { message: '{{id}} s’appelle désormais {{to}}.', hint: 'Remplacez l’ancien nom.' },
    'tools/inline-comment': {
      message: 'L’application du robot (jusqu’à 0.10) ne comprend pas un commentaire après un identifiant.',
      hint: 'Mettez le commentaire sur sa propre ligne.',
    },
    'tools/bom': {
      message:
        'Le fichier commence par une marque d’ordre des octets, que l’application du robot (jusqu’à 0.10) prend pour une partie du premier identifiant.',
      hint: 'Retirez la marque si cette application lit ce profil.',
    },
    'tools/bad-schema': {
      message: 'Le serveur décrit les paramètres de cet outil de façon inutilisable.',
      hint: 'Seul le propriétaire du Space peut le réparer.',
    },
    'tools/bad-tool-name': {
      message: 'Cet outil n’a pas de nom utilisable.',
      hint: 'Seul le propriétaire du Space peut le réparer.',
    },
    'tools/schema-unusable': {
      message: 'Le serveur refuse tout appel de cet outil ({{reason}}).',
      hint: 'Seul le propriétaire du Space peut le réparer.',
    },
    'tools/too-large': { message: 'La description de cet outil est trop grande.', hint: 'Il n’est pas proposé.' },
    'profile/not-found': { message: 'Le profil {{name}} n’existe pas.', hint: 'La liste des profils donne les noms.' },
    'profile/bad-name': {
      message: '« {{name}} » ne peut pas être un nom de profil.',
      hint: 'Utilisez 1 à 64 lettres, chiffres, _ ou -.',
    },
    'profile/exists': { message: 'Il existe déjà un profil {{name}}.', hint: 'Choisissez un autre nom.' },
    'profile/unreadable': {
      message: '{{file}} de {{name}} est illisible. Le fichier n’a pas été modifié.',
      hint: 'Le profil default est utilisé jusqu’à la réparation.',
    },
    'profile/not-utf8': {
      message: '{{file}} n’est pas du texte UTF-8 (octet {{position}}). Il est affiché, jamais écrit.',
      hint: 'Enregistrez-le en UTF-8 dans un éditeur de texte.',
    },
    'profile/read-only': {
      message: '{{file}} ne peut pas être écrit ici.',
      hint: 'Modifiez-le avec le programme auquel il appartient.',
    },
    'profile/unknown-placeholder': {
      message: '{{placeholder}} n’est pas connu ; le robot le lirait à voix haute.',
      hint: 'Supprimez la ligne, ou faites-en un titre.',
    },
    'profile/long-prompt': {
      message: 'Les instructions sont longues ({{characters}} caractères).',
      hint: 'Les modèles vocaux suivent mieux des instructions courtes ; visez moins de 1 500.',
    },
    'profile/changed-outside': {
      message: '{{name}} a été modifié par un autre programme. Rien n’a été écrit.',
      hint: 'Regardez le nouveau texte, puis enregistrez de nouveau.',
    },
    'manifest/unreadable': {
      message: 'La liste des Spaces installés est illisible. Elle n’a pas été modifiée.',
      hint: 'Réparez ou supprimez {{file}} ; d’ici là aucun outil de Space n’est utilisé.',
    },
    'manifest/newer': {
      message: 'Les données sur les Spaces installés viennent d’une version plus récente. Rien n’y est modifié.',
      hint: 'Mettez cette application à jour. D’ici là, rien n’est écrit dans {{file}}.',
    },
    'manifest/bad-entry': {
      message: 'Une entrée de la liste des Spaces installés est inutilisable ({{reason}}). Elle est mise de côté.',
      hint: 'Ajoutez le Space de nouveau.',
    },
    'manifest/instance-gone': {
      message:
        'Le dossier {{path}} d’une application du robot est introuvable. Sa liste de Spaces n’est pas utilisée et rien n’est écrit.',
      hint: 'Rétablissez le dossier, ou revenez à la liste de cette application.',
    },
    'robot/not-found': { message: 'Le robot {{id}} n’existe pas.', hint: 'Le simulateur est toujours là.' },
    'robot/bad-place': {
      message: 'Ce n’est ni un port série ni une adresse.',
      hint: 'Un port s’écrit /dev/ttyACM0 ou COM3, une adresse reachy-mini.local ou 192.168.1.20.',
    },
    'robot/busy': { message: 'Un autre programme utilise le robot.', hint: 'Fermez-le, puis réessayez.' },
    'robot/no-permission': {
      message: 'Ce compte ne peut pas utiliser le port du robot.',
      hint: 'L’écran Robot donne la commande.',
    },
    'robot/no-power': { message: 'Le robot répond, ses moteurs non.', hint: 'Allumez son alimentation.' },
    'robot/missing-motors': {
      message: 'Certains moteurs ne répondent pas : {{names}}.',
      hint: 'Vérifiez le câble après le dernier qui répond.',
    },
    'robot/unknown-device': { message: 'Cet appareil n’est pas un Reachy Mini.', hint: 'Rien ne lui a été écrit.' },
    'robot/unreadable': {
      message: 'Ce qui arrive de ce port est illisible.',
      hint: 'Vérifiez le câble. C’est peut-être un autre appareil.',
    },
    'robot/old-daemon': {
      message: 'Le logiciel de ce robot est trop ancien : {{version}}.',
      hint: 'Mettez le robot à jour, ou branchez-le par son câble.',
    },
    'robot/unreachable': {
      message: 'Le robot ne répond pas.',
      hint: 'Est-il allumé, branché ou sur le même réseau ? Un nouvel essai se fait tout seul.',
    },
    'robot/disconnected': { message: 'Le robot n’est plus connecté.', hint: 'Il sera utilisé dès son retour.' },
    'robot/overload': {
      message: 'Un moteur s’est coupé : {{names}}.',
      hint: 'Soutenez la tête, puis redémarrez le moteur.',
    },
    'robot/out-of-range': {
      message: 'Ces articulations sont tournées trop loin : {{names}}.',
      hint: 'Ramenez-les à la main. Si elles semblent en place, un moteur est mal monté.',
    },
    'robot/out-of-reach': { message: 'Le robot ne peut pas atteindre cette pose.', hint: 'Il reste où il est.' },
    'robot/stopped': {
      message: 'Les moteurs sont coupés après un arrêt d’urgence.',
      hint: 'Réactivez-les quand rien ne gêne.',
    },
    'robot/unknown-move': {
      message: 'Le mouvement {{name}} n’existe pas.',
      hint: 'La palette Émotions les montre tous.',
    },
    'move/unreadable': {
      message: '{{name}} n’est pas un mouvement enregistré. Rien n’a été repris.',
      hint: 'Il faut un fichier JSON avec time et set_target_data.',
    },
    'move/empty': {
      message: '{{name}} ne contient aucun mouvement. Rien n’a été repris.',
      hint: 'Un mouvement a au moins deux échantillons à des instants différents.',
    },
    'move/broken': {
      message: 'La plupart des échantillons de {{name}} sont abîmés. Rien n’a été repris.',
      hint: 'Enregistrez-le ou téléchargez-le de nouveau.',
    },
    'move/too-large': {
      message: '{{name}} est trop gros pour un mouvement. Rien n’a été repris.',
      hint: 'Un mouvement peut avoir {{limit}}.',
    },
    'move/too-long': {
      message: '{{name}} dure {{seconds}} s, c’est trop long. Rien n’a été repris.',
      hint: 'Un mouvement peut durer {{limit}} s. Coupez-le en plusieurs parties.',
    },
    'move/bad-name': {
      message: '« {{text}} » ne peut pas être le nom d’un mouvement.',
      hint: 'Employez des lettres, des chiffres, - et _, 60 au plus.',
    },
    'move/exists': {
      message: 'Vous avez déjà un mouvement {{name}}. Rien n’a été changé.',
      hint: 'Choisissez un autre nom.',
    },
    'move/not-yours': {
      message: '{{name}} n’est pas un de vos mouvements. Rien n’a été changé.',
      hint: 'Seuls les mouvements enregistrés ou importés par vous peuvent être changés.',
    },
    'move/no-recording': {
      message: 'Aucun mouvement n’est en cours d’enregistrement.',
      hint: 'Commencez d’abord un enregistrement.',
    },
    'library/unknown': { message: 'La bibliothèque {{id}} n’existe pas.', hint: 'Choisissez-en une dans la liste.' },
    'library/not-found': {
      message: 'La bibliothèque {{id}} n’est pas sur le Hub, ou elle est privée.',
      hint: 'Réessayez plus tard ; les mouvements déjà là restent.',
    },
    'library/damaged': {
      message: '{{path}} n’est pas arrivé intact. Il a été jeté.',
      hint: 'Téléchargez de nouveau : seul ce qui manque est repris.',
    },
    'library/no-moves': {
      message: '{{id}} ne contient aucun mouvement lisible.',
      hint: 'Les mouvements déjà là restent.',
    },
    'library/too-large': {
      message: '{{id}} dépasse la taille d’une bibliothèque de mouvements ({{limit}}). Rien n’a été téléchargé.',
      hint: 'Seul son propriétaire peut changer cela.',
    },
    'provider/none': {
      message: 'Aucun modèle de langage n’est configuré.',
      hint: 'Choisissez-en un dans les réglages ; d’ici là le cerveau hors ligne répond.',
    },
    'provider/unauthorized': {
      message: 'La clé a été refusée. Votre message est gardé.',
      hint: 'Vérifiez la clé dans les réglages, ou laissez le cerveau hors ligne répondre.',
    },
    'provider/unreachable': {
      message: 'L’adresse du modèle est injoignable. Votre message est gardé.',
      hint: 'Vérifiez l’adresse et le réseau, ou laissez le cerveau hors ligne répondre.',
    },
    'provider/dropped': {
      message: 'La réponse s’est interrompue. Ce qui est arrivé est gardé.',
      hint: 'Envoyez de nouveau pour continuer.',
    },
    'provider/rate-limited': {
      message: 'Le modèle reçoit trop de requêtes.',
      hint: 'Attendez un instant, puis envoyez de nouveau.',
    },
    'provider/no-tools': {
      message: 'Ce modèle ne sait pas appeler d’outils.',
      hint: 'Choisissez-en un autre dans les réglages.',
    },
    'provider/error': {
      message: 'Le serveur du modèle a répondu par une erreur ({{status}}) : {{reason}}. Votre message est gardé.',
      hint: 'Vérifiez l’adresse et le nom du modèle dans les réglages.',
    },
    'provider/bad-address': {
      message: 'Cette adresse ne peut pas servir pour un modèle.',
      hint: 'Elle doit commencer par https://, ou par http:// sur cet ordinateur.',
    },
    'tools/not-allowed': {
      message: '{{id}} n’a pas encore le droit de s’exécuter. Rien n’en a été exécuté.',
      hint: 'Lisez le fichier, puis autorisez-le sous Profils, ou avec tools allow {{id}}.',
    },
    'tools/file-changed': {
      message: '{{path}} a changé depuis son autorisation. Il n’a pas été exécuté.',
      hint: 'Lisez le nouveau texte, puis autorisez-le de nouveau.',
    },
    'tools/bad-file': {
      message: '{{path}} n’offre aucun outil : {{reason}}',
      hint: 'Corrigez le fichier ; l’enregistrement est remarqué.',
    },
    'tools/bad-answer': {
      message: 'La réponse de {{id}} est inutilisable : {{reason}}',
      hint: 'Un outil répond par un objet que JSON peut contenir.',
    },
    'tools/not-started': {
      message: '{{id}} n’a pas pu démarrer : {{reason}}',
      hint: 'Son journal, sous Profils, en dit plus.',
    },
    'tools/crashed': {
      message: 'Le processus de {{id}} s’est arrêté pendant l’appel : {{reason}}',
      hint: 'Il redémarre au prochain appel. Son journal, sous Profils, en dit plus.',
    },
    'tools/no-python': {
      message: '{{id}} a besoin de Python 3.10 ou plus récent, introuvable sur cet ordinateur.',
      hint: 'Installez Python depuis python.org, puis redémarrez l’application.',
    },
    'tools/unmentioned': {
      message: 'Le prompt ne mentionne jamais : {{names}}',
      hint: 'Un modèle utilise plus volontiers un outil dont le prompt dit à quoi il sert.',
    },
    'profile/in-use': {
      message: '{{name}} est utilisé ; il n’a pas été retiré.',
      hint: 'Utilisez d’abord un autre profil.',
    },
    'profile/shipped': {
      message: '{{name}} est fourni avec l’application et reste tel quel.',
      hint: 'Masquez-le, ou faites-en une copie à modifier.',
    },
    'profile/bad-repair': {
      message: '{{file}} ne peut plus être réparé ainsi. Il a été laissé tel quel.',
      hint: 'Regardez-le de nouveau.',
    },
    'profile/bad-front-matter': {
      message: '{{file}} : {{reason}} Le fichier a été laissé tel quel.',
      hint: 'Corrigez-le dans un éditeur de texte ; c’est remarqué aussitôt.',
    },
    'profile/unknown-key': {
      message: 'profile.md contient des clés que l’application du robot ne connaît pas : {{keys}}.',
      hint: 'L’application du robot refuse un tel fichier. Retirez-les dans un éditeur de texte.',
    },
    'profile/newer': {
      message:
        '{{file}} vient d’une application de robot plus récente (version {{version}}). Il est affiché et n’est pas modifié.',
      hint: 'Mettez cette application à jour pour le modifier.',
    },
    'profile/two-formats': {
      message:
        '{{name}} contient à la fois profile.md et des fichiers texte, et ils diffèrent. Les fichiers texte sont affichés ici.',
      hint: 'L’application du robot lit profile.md depuis la version 0.11, les fichiers texte avant.',
    },
    'profile/not-held': {
      message: '{{file}} ne peut pas contenir ceci : {{what}}',
      hint: 'Cela reste dans le profil, ici.',
    },
    'profile/bad-archive': {
      message: '{{path}} n’est pas un zip lisible. Rien n’a été repris.',
      hint: 'Refaites-le, ou choisissez plutôt le dossier.',
    },
    'profile/no-profiles': {
      message: 'Aucun profil n’a été trouvé dans {{path}}.',
      hint: 'Un profil est un dossier avec instructions.txt, tools.txt ou profile.md.',
    },
    'profile/refused-entry': {
      message: '{{entry}} a été laissé de côté : {{reason}}',
      hint: 'Le reste n’est pas concerné.',
    },
    'profile/too-large': {
      message: '{{path}} dépasse {{limit}}. Rien n’a été repris.',
      hint: 'Choisissez le dossier d’un seul profil.',
    },
    'profile/python-not-copied': {
      message: '{{file}} est un outil à part entière et n’a pas été copié.',
      hint: 'Importez de nouveau avec les fichiers d’outils si vous faites confiance à leur origine.',
    },
    'profile/orphan-toolset': {
      message: '{{file}} cite des outils pour {{name}}, qui n’existe pas.',
      hint: 'L’entrée ne gêne pas et peut être retirée.',
    },
    'profile/toolsets-unreadable': {
      message:
        '{{file}} est illisible : {{reason}} Les outils propres aux profils sont affichés, le fichier n’est pas modifié.',
      hint: 'Corrigez-le dans un éditeur de texte.',
    },
    'profile/unknown-voice': {
      message: 'L’application du robot n’a pas de voix {{voice}} ; elle parlerait avec {{default}}.',
      hint: 'Choisissez l’une des voix qu’elle possède.',
    },
    'profile/many-tools': {
      message: '{{count}} outils sont activés. Au-delà de {{limit}}, les modèles choisissent moins bien.',
      hint: 'Désactivez ce dont ce profil n’a pas besoin.',
    },
    'storage/failed': {
      message: '{{path}} n’a pas pu être lu ou écrit. Tout est comme avant.',
      hint: 'Vérifiez l’espace libre et les droits.',
    },
    'storage/locked': {
      message: 'Une autre fenêtre ou commande est en train d’écrire. Rien n’a été modifié.',
      hint: 'Réessayez dans quelques secondes.',
    },
    'storage/conflict': {
      message: '{{path}} a changé depuis. Il a été laissé tel quel.',
      hint: 'Faites la modification à la main si elle est encore voulue.',
    },
    'secrets/unavailable': {
      message: 'Les secrets ne peuvent pas être stockés ici.',
      hint: 'Définissez HF_TOKEN ou OPENAI_API_KEY dans l’environnement.',
    },
    'cli/usage': { message: '{{reason}}', hint: 'reachy-mini-companion --help affiche les commandes.' },
    'cli/not-available-yet': {
      message: '« {{command}} » n’est pas encore disponible.',
      hint: 'reachy-mini-companion --help affiche ce qui l’est.',
    },
    'ipc/forbidden': {
      message: 'Cette requête vient d’une page qui n’y a pas droit.',
      hint: 'Redémarrez l’application.',
    },
    'ipc/no-route': { message: 'Cette requête n’existe pas.', hint: 'Redémarrez l’application.' },
    'ipc/invalid': { message: 'La requête est mal formée. Rien n’a été fait.', hint: 'Vérifiez la saisie.' },
    'app/cancelled': { message: 'Annulé. Rien n’a été modifié.', hint: 'Vous pouvez recommencer à tout moment.' },
    'app/internal': {
      message: 'Une erreur inattendue s’est produite.',
      hint: 'Le journal en dit plus. Réessayez, ou redémarrez l’application.',
    },
  },
})
