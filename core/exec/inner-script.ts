import { PACK } from '../sdk/index.js'

/** Inside: the channel that reports the steps of a job, closed to the program itself. */
export const CHANNEL_FD = 5
export const PROXY_PORT = 3128
export const PROXY_SOCKET_INSIDE = '/job/.tmp/proxy.sock'

/** The first message on the channel: the program is about to start. */
export const STARTED = 'S\n'

const START = 'echo S >&5'
/** bwrap brings loopback up; a fifo signals that the forwarder listens, or that it died. */
const FORWARD = `mkfifo /job/.tmp/ready || exit 1
{ "$FORWARDER" --max-old-space-size=32 -e "$FORWARDER_CODE" </dev/null >/job/.tmp/ready 2>/dev/null; echo dead >/job/.tmp/ready; } 3<&- 4>&- 5>&- &
read -r ready </job/.tmp/ready
[ "$ready" = listening ] || exit 1
rm -f /job/.tmp/ready
unset FORWARDER FORWARDER_CODE`
const RUN = 'exec 5>&-\nexec "$@"'
const RUN_AND_COLLECT = `"$@" 5>&-
code=$?
echo "E$code" >&5
${PACK} >&5 2>/dev/null
exit $code`

/** Inside: the fifo from which a started program that does its job itself reads a line. */
const GO = '/job/.tmp/go'
/** The message on the channel when a warm sandbox has taken its job. */
export const TAKEN = 'J\n'
const WARM_START = `is_ready() { for path in $1; do [ ! -e "$path" ] || return 0; done; return 1; }
ready=$1; shift
mkfifo ${GO} || exit 1
exec 7<>${GO}`
const START_BESIDE = '"$@" 5>&- 7>&- &'
/** A program in the background has no standard input, which `<&0` would not change. */
const START_ITSELF = 'exec 8<&0\n"$@" <&8 5>&- 7>&- 8<&- &\nexec 8<&-'
/**
 * The job arrives on standard input: the lengths of two parts and whether to collect; words to evaluate; a tar archive. `head` reads
 * exactly its part, so that the rest is left for the program. The words are evaluated last, because they may set variables of any name.
 */
const WARM_TAKE = `warm=$!
until is_ready "$ready"; do kill -0 "$warm" 2>/dev/null || exit 1; sleep 0.02; done
${START}
IFS=' ' read -r words files capstan_collect || exit 1
words=$(head -c "$words")
head -c "$files" | tar -xomf - || exit 1
echo J >&5`
const RUN_BESIDE = `eval "$words"
"$@" 5>&- 7>&-`
const RUN_ITSELF = `echo >&7
wait "$warm"`
const WARM_END = `capstan_code=$?
echo "E$capstan_code" >&5
[ "$capstan_collect" = 0 ] || ${PACK} >&5 2>/dev/null
exit "$capstan_code"`

/** The script around a browser: its pipes 3 and 4 stay open, and nothing is reported. */
export function browserScript(network: boolean): string {
  return [...(network ? [FORWARD] : []), 'exec "$@"'].join('\n')
}

/** The constant script that /bin/sh runs around a program inside; the program and its arguments are passed as "$@" and never part of it. */
export function innerScript(steps: { network: boolean; collect: boolean }): string {
  return [...(steps.network ? [FORWARD] : []), START, steps.collect ? RUN_AND_COLLECT : RUN].join('\n')
}

/** The same around a program started before its job; the first word of "$@" is the path that shows that it is ready. */
export function warmScript({ network, job }: { network: boolean; job: 'beside' | 'itself' }): string {
  const [start, run] = job === 'beside' ? [START_BESIDE, RUN_BESIDE] : [START_ITSELF, RUN_ITSELF]
  return [...(network ? [FORWARD] : []), WARM_START, start, WARM_TAKE, run, WARM_END].join('\n')
}

/** All these scripts, by which the processes of a gateway's sandboxes are recognised. */
export const SCRIPTS: readonly string[] = [false, true].flatMap((network) => [
  browserScript(network),
  ...[false, true].map((collect) => innerScript({ network, collect })),
  ...(['beside', 'itself'] as const).map((job) => warmScript({ network, job })),
])

/** Forwards every connection to loopback to the guard proxy's socket. Runs inside, in Node, as the job's own user. */
export const forwarderCode = (port: number): string => `
const net = require('net')
net.createServer({ allowHalfOpen: true }, (near) => {
  const far = net.connect({ path: '${PROXY_SOCKET_INSIDE}', allowHalfOpen: true })
  near.pipe(far).pipe(near)
  near.on('error', () => far.destroy())
  far.on('error', () => near.destroy())
}).listen(${port}, '127.0.0.1', () => require('fs').writeSync(1, 'listening\\n'))
`
