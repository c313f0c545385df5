const SETTINGS = 'OPENAI_API_KEY (or CAPSTAN_VENDOR_OPENAI_COMPATIBLE_URL for a server of your own), ANTHROPIC_API_KEY or GEMINI_API_KEY'

/** Advice when structured data is not enough. */
export const MODEL_HELPS = `A language model would read the text itself: set ${SETTINGS}.`
