import { Argument, type Command } from 'commander'
import { type ListedCapability, listedCapabilities } from '../catalogue.js'
import { COMPLETION_SCRIPTS, SHELLS } from '../completion-scripts.js'
import { completions } from '../completions.js'
import { examples } from '../example.js'
import { Failure, UsageError } from '../failure.js'
import { gatewayUrl } from '../gateway-url.js'
import type { Shell } from '../shell.js'

/** Longest wait for the capabilities of the gateway, in milliseconds: whoever presses a key does not wait longer. */
const WAIT_MS = 500

/** `capstan completion SHELL`: the script that completes words in a shell; with words, what completes the last of them. */
export function addCompletion(program: Command, shell: Shell): void {
  const command = program
    .command('completion')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .option('--word <word>', 'for the script, once for each word behind capstan: print what completes the last of them', append)
    .description('print the script that completes commands, options, capabilities and parameters in a shell')
  examples(
    command,
    'capstan completion bash > ~/.local/share/bash-completion/completions/capstan',
    'capstan completion zsh > ~/.zsh/_capstan',
    'capstan completion fish > ~/.config/fish/completions/capstan.fish',
  )
  command.action(async (name: (typeof SHELLS)[number], { word: words }: { readonly word?: readonly string[] }) => {
    if (words === undefined) return await shell.io.out(COMPLETION_SCRIPTS[name])
    const found = await completions(program, { words, cwd: shell.io.cwd, capabilities: () => capabilities(shell, command) })
    await shell.io.out(found.map((each) => `${each}\n`).join(''))
  })
}

function append(word: string, before: readonly string[] = []): string[] {
  return [...before, word]
}

/** The capabilities of the gateway; none if it does not answer in time. */
async function capabilities(shell: Shell, command: Command): Promise<readonly ListedCapability[]> {
  try {
    const { GatewayClient } = await import('../gateway-client.js')
    const base = await gatewayUrl(shell, command)
    return await listedCapabilities(new GatewayClient(base), base, AbortSignal.timeout(WAIT_MS))
  } catch (error) {
    if (error instanceof Failure || error instanceof UsageError) return []
    throw error
  }
}
