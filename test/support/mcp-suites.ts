/** One of the official conformance suites of MCP, and which of its scenarios apply to this gateway. */
interface ConformanceSuite {
  readonly revision: string
  /** Its name in scripts/tools/mcp-conformance/package.json. */
  readonly suite: string
  readonly applicable: readonly string[]
  /** Scenarios that test what the gateway does not offer, and what that is. */
  readonly notApplicable: Readonly<Record<string, string>>
  /** The same of single checks of scenarios that apply otherwise. */
  readonly notApplicableChecks: Readonly<Record<string, string>>
}

const PROMPTS = 'the gateway offers no prompts'
const RESOURCES = 'the gateway offers no resources; files are links'
const INPUT = 'no tool requests input from its client, a model or folders'
const LOGGING = 'the gateway sends its clients no log messages'
const COMPLETIONS = 'the gateway completes no arguments'
const SESSIONS = 'the gateway has no sessions, by which a stream could be resumed'
const SHORT = 'tools/list has of a schema what a model needs, without $defs and references'
const PARAM_HEADERS = 'no tool has parameters that are repeated as headers'

export const SUITES: readonly ConformanceSuite[] = [
  {
    revision: '2025-11-25',
    suite: 'conformance-2025-11-25',
    applicable: [
      'dns-rebinding-protection',
      'ping',
      'server-initialize',
      'tools-call-audio',
      'tools-call-embedded-resource',
      'tools-call-error',
      'tools-call-image',
      'tools-call-mixed-content',
      'tools-call-simple-text',
      'tools-call-with-progress',
      'tools-list',
    ],
    notApplicable: {
      'completion-complete': COMPLETIONS,
      'elicitation-sep1034-defaults': INPUT,
      'elicitation-sep1330-enums': INPUT,
      'json-schema-2020-12': SHORT,
      'logging-set-level': LOGGING,
      'prompts-get-embedded-resource': PROMPTS,
      'prompts-get-simple': PROMPTS,
      'prompts-get-with-args': PROMPTS,
      'prompts-get-with-image': PROMPTS,
      'prompts-list': PROMPTS,
      'resources-list': RESOURCES,
      'resources-read-binary': RESOURCES,
      'resources-read-text': RESOURCES,
      'resources-subscribe': RESOURCES,
      'resources-templates-read': RESOURCES,
      'resources-unsubscribe': RESOURCES,
      'server-sse-multiple-streams': SESSIONS,
      'server-sse-polling': SESSIONS,
      'tools-call-elicitation': INPUT,
      'tools-call-sampling': INPUT,
      'tools-call-with-logging': LOGGING,
    },
    notApplicableChecks: {},
  },
  {
    revision: '2026-07-28',
    suite: 'conformance-2026-07-28',
    applicable: [
      'caching',
      'dns-rebinding-protection',
      'http-header-validation',
      'input-required-result-unsupported-methods',
      'input-required-result-validate-input',
      'server-sse-multiple-streams',
      'server-stateless',
      'tools-call-audio',
      'tools-call-embedded-resource',
      'tools-call-error',
      'tools-call-image',
      'tools-call-mixed-content',
      'tools-call-simple-text',
      'tools-call-with-progress',
      'tools-list',
    ],
    notApplicable: {
      'completion-complete': COMPLETIONS,
      'http-custom-header-server-validation': PARAM_HEADERS,
      'input-required-result-basic-elicitation': INPUT,
      'input-required-result-basic-list-roots': INPUT,
      'input-required-result-basic-sampling': INPUT,
      'input-required-result-capability-check': INPUT,
      'input-required-result-ignore-extra-params': INPUT,
      'input-required-result-missing-input-response': INPUT,
      'input-required-result-multi-round': INPUT,
      'input-required-result-multiple-input-requests': INPUT,
      'input-required-result-non-tool-request': INPUT,
      'input-required-result-request-state': INPUT,
      'input-required-result-result-type': INPUT,
      'input-required-result-tampered-state': INPUT,
      'json-schema-2020-12': SHORT,
      'prompts-get-embedded-resource': PROMPTS,
      'prompts-get-simple': PROMPTS,
      'prompts-get-with-args': PROMPTS,
      'prompts-get-with-image': PROMPTS,
      'prompts-list': PROMPTS,
      'resources-list': RESOURCES,
      'resources-read-binary': RESOURCES,
      'resources-read-text': RESOURCES,
      'resources-templates-read': RESOURCES,
      'sep-2164-resource-not-found': RESOURCES,
    },
    notApplicableChecks: {
      'sep-2549-prompts-list-caching-hints': PROMPTS,
      'sep-2549-resources-list-caching-hints': RESOURCES,
      'sep-2549-resources-templates-list-caching-hints': RESOURCES,
      'sep-2549-resources-read-caching-hints': RESOURCES,
      'sep-2575-server-rejects-undeclared-capability': INPUT,
      'sep-2575-missing-capability-http-400': INPUT,
      'sep-2575-server-sends-prompts-list-changed-on-subscription': PROMPTS,
      'sep-2575-server-sends-tools-list-changed-on-subscription': 'the gateway sends no changes; the list says how long it may be kept',
    },
  },
]
