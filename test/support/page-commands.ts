import { source } from './pages.js'

/** A command of a page: its lines joined, without comments and the prompt. */
export interface PageCommand {
  readonly page: string
  readonly command: string
}

/** Commands in the blocks of a page for a shell: those marked `sh`, and lines that begin with `$ ` in unmarked ones. */
export function commandsOf(page: string): PageCommand[] {
  const blocks = [...source(page).matchAll(/^```(\w*)\n(.*?)^```$/gms)]
  return blocks.flatMap(([, language = '', text = '']) => {
    const lines = text.replaceAll(/\\\n\s*/g, '').split('\n')
    const commands =
      language === 'sh' ? lines : language === '' ? lines.filter((line) => line.startsWith('$ ') || line.startsWith('capstan ')) : []
    return commands
      .map((line) =>
        line
          .replace(/^\$ /, '')
          .replace(/\s+# .*$/, '')
          .trim(),
      )
      .filter((command) => command !== '')
      .map((command) => ({ page, command }))
  })
}
