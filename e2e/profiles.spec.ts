import { expect, test } from './app.ts'
import { ProfilesPage } from './pages/profiles.ts'
import { fileOf, profiles, PROMPT, shipped } from './profile-files.ts'

const BOM = '\uFEFF'

/** tools.txt before, after `dance` is switched on, and after it is switched off again. */
const TABLE: Readonly<Record<string, readonly [before: string, on: string, off: string]>> = {
  empty: ['', 'dance\n', ''],
  plain: ['move_head\n', 'move_head\ndance\n', 'move_head\n'],
  unfinished: ['move_head', 'move_head\ndance\n', 'move_head\n'],
  windows: ['stop_dance\r\nmove_head\r\n', 'stop_dance\r\nmove_head\r\ndance\r\n', 'stop_dance\r\nmove_head\r\n'],
  windows_open: ['stop_dance\r\nmove_head', 'stop_dance\r\nmove_head\r\ndance\r\n', 'stop_dance\r\nmove_head\r\n'],
  old_mac: ['stop_dance\rmove_head\r', 'stop_dance\rmove_head\rdance\r', 'stop_dance\rmove_head\r'],
  marked: [BOM, `${BOM}dance\n`, BOM],
  commented: ['# dance\nmove_head\n', '# dance\nmove_head\ndance\n', '# dance\nmove_head\n'],
  separators: ['move_head\fcamera\u2028\n', 'move_head\fcamera\u2028\ndance\n', 'move_head\fcamera\u2028\n'],
  spaced: ['  move_head  # soft\n\n\n', '  move_head  # soft\n\n\ndance\n', '  move_head  # soft\n\n\n'],
  twice: ['camera\ncamera\nfoo\n', 'camera\ncamera\nfoo\ndance\n', 'camera\ncamera\nfoo\n'],
}

test('a switch changes its own line and no other byte, whatever the file looks like', async ({ launchApp }) => {
  test.slow()
  const rows = Object.entries(TABLE).map(([name, [before]]) => [name, { ...PROMPT, 'tools.txt': before }] as const)
  const app = await launchApp({ files: profiles(Object.fromEntries(rows)) })
  const screen = new ProfilesPage(app.page)
  await screen.goTo()
  for (const [name, [, on, off]] of Object.entries(TABLE)) {
    await screen.open(name)
    await expect(screen.tool('dance')).not.toBeChecked()
    await screen.tool('dance').click()
    await screen.saveAll()
    expect(await fileOf(app, name, 'tools.txt'), `${name}, on`).toBe(on)
    await screen.tool('dance').click()
    await screen.saveAll()
    expect(await fileOf(app, name, 'tools.txt'), `${name}, off`).toBe(off)
    expect(await fileOf(app, name, 'instructions.txt')).toBe(PROMPT['instructions.txt'])
  }
})

test('a new profile is made of another one, its four files edited and saved to the byte', async ({ launchApp }) => {
  const app = await launchApp()
  const screen = new ProfilesPage(app.page)
  await screen.goTo()
  await screen.create('evening_at_home', 'night_watch')
  for (const file of ['tools.txt', 'instructions.txt', 'voice.txt', 'greeting.txt', 'about.json']) {
    expect(await fileOf(app, 'evening_at_home', file), file).toBe(await shipped('night_watch', file))
  }

  await screen.tool('sweep_look').click()
  await screen.typeAtEnd('instructions.txt', 'After nine, whisper.')
  await screen.pick(app.page.getByRole('combobox', { name: 'Voice' }), 'Vivian')
  await screen.typeAtEnd('greeting.txt', ' In verse.')
  await screen.saveAll()

  const tools = (await shipped('night_watch', 'tools.txt')).replace('sweep_look\n', '')
  expect(await fileOf(app, 'evening_at_home', 'tools.txt')).toBe(tools)
  const instructions = await shipped('night_watch', 'instructions.txt')
  expect(await fileOf(app, 'evening_at_home', 'instructions.txt')).toBe(`${instructions}After nine, whisper.`)
  expect(await fileOf(app, 'evening_at_home', 'voice.txt')).toBe('Vivian\n')
  expect((await fileOf(app, 'evening_at_home', 'greeting.txt')).replaceAll('\n', '')).toBe(
    `${(await shipped('night_watch', 'greeting.txt')).trimEnd()} In verse.`,
  )
  await expect(screen.row('evening_at_home')).toContainText('Yours')
})

test('the plain file is the same document as the switches, and undo goes through both', async ({ launchApp }) => {
  const app = await launchApp({
    files: profiles({ mine: { ...PROMPT, 'tools.txt': `${BOM}# mine\r\ndance\r\nmove_head` } }),
  })
  const screen = new ProfilesPage(app.page)
  await screen.goTo()
  await screen.open('mine')
  await expect(screen.tool('dance')).toBeChecked()
  await screen.typeAtEnd('tools.txt', '\nplay_emotion')
  await expect(screen.tool('play_emotion')).toBeChecked()
  await screen.tool('dance').click()
  await expect(screen.file('tools.txt')).not.toContainText('dance')
  await screen.saveAll()
  expect(await fileOf(app, 'mine', 'tools.txt')).toBe(`${BOM}# mine\r\nmove_head\r\nplay_emotion`)

  const undo = app.page.getByRole('button', { name: 'Undo', exact: true })
  await undo.click()
  await expect(screen.tool('dance')).toBeChecked()
  await expect(screen.tool('play_emotion')).toBeChecked()
  // What was typed may be one step or two, by the pauses between the keys.
  while (await undo.isEnabled()) await undo.click()
  await expect(screen.tool('play_emotion')).not.toBeChecked()
  await screen.saveAll()
  expect(await fileOf(app, 'mine', 'tools.txt')).toBe(`${BOM}# mine\r\ndance\r\nmove_head`)
})

test('looking at every file and changing nothing writes nothing', async ({ launchApp }) => {
  const odd = { ...PROMPT, 'tools.txt': `${BOM}dance\r\n\r\n# x`, 'voice.txt': 'ryan', 'greeting.txt': '  Hi.\r\n\r\n' }
  const app = await launchApp({ files: profiles({ mine: odd }) })
  const screen = new ProfilesPage(app.page)
  await screen.goTo()
  await screen.open('mine')
  await screen.file('tools.txt').click()
  await screen.file('instructions.txt').click()
  await screen.open('default')
  await screen.open('mine')
  await expect(screen.save).toBeDisabled()
  for (const [file, text] of Object.entries(odd)) expect(await fileOf(app, 'mine', file), file).toBe(text)
})
