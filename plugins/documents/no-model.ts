const SETTINGS = 'OPENAI_API_KEY (or CAPSTAN_VENDOR_OPENAI_COMPATIBLE_URL for a server of your own), ANTHROPIC_API_KEY or GEMINI_API_KEY'

/** Why a prompt alone finds nothing without a language model. */
export const NO_MODEL = `A prompt needs a language model, and none is live: set ${SETTINGS}, or give a schema.`

/** What would help where structured data is not enough. */
export const MODEL_HELPS = `A language model would read the text itself: set ${SETTINGS}.`
