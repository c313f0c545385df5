"""Made by `generate` from the OpenAPI document of a gateway: change that, not this."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Union

from typing_extensions import Literal, NotRequired, TypedDict, Unpack

from ._files import FileInput
from ._results import AsyncCallOptions, CallOptions, RequestOptions, Result


class Known(NamedTuple):
    """Where a capability is called, and the most seconds that a call takes; None where that is not said."""

    path: str
    deadline: Optional[float]


#: The capabilities that have a method in this version.
CAPABILITIES: Mapping[str, Known] = {
    "audio.transcribe": Known("/v1/audio/transcribe", 300.0),
    "code.execute": Known("/v1/code/execute", 390.0),
    "companies.find": Known("/v1/companies/find", 45.0),
    "documents.extract": Known("/v1/documents/extract", 120.0),
    "domains": Known("/v1/domains", 30.0),
    "emails.find": Known("/v1/emails/find", 60.0),
    "emails.verify": Known("/v1/emails/verify", 30.0),
    "files.convert": Known("/v1/files/convert", 120.0),
    "images.generate": Known("/v1/images/generate", 120.0),
    "images.remove_background": Known("/v1/images/remove-background", 60.0),
    "invoices.parse": Known("/v1/invoices/parse", 90.0),
    "messages.send": Known("/v1/messages/send", 30.0),
    "profiles.find": Known("/v1/profiles/find", 30.0),
    "research": Known("/v1/research", 504.0),
    "scrape": Known("/v1/scrape", 195.0),
    "screenshots.capture": Known("/v1/screenshots/capture", 45.0),
    "search": Known("/v1/search", 30.0),
    "sites.intel": Known("/v1/sites/intel", 30.0),
    "sounds.generate": Known("/v1/sounds/generate", 120.0),
    "speech.synthesize": Known("/v1/speech/synthesize", 60.0),
    "speech.transcribe": Known("/v1/speech/transcribe", 300.0),
    "subtitles.generate": Known("/v1/subtitles/generate", 300.0),
    "video.download": Known("/v1/video/download", 300.0),
    "video.info": Known("/v1/video/info", 60.0),
}


class AudioTranscribeUtterance(TypedDict):
    speaker: int
    text: str
    start: float
    end: float
    confidence: Optional[float]


class AudioTranscribeData(TypedDict):
    transcript: str
    confidence: Optional[float]
    language: Optional[str]
    duration_seconds: float
    word_count: int
    speaker_count: int
    utterances: List[AudioTranscribeUtterance]


class CodeExecuteOutputFile(TypedDict):
    name: str
    size_bytes: int
    content_type: str
    url: str
    expires_at: str
    content_base64: Optional[str]


class CodeExecuteData(TypedDict):
    stdout: str
    stderr: str
    exit_code: int
    execution_time_ms: int
    output_files: List[CodeExecuteOutputFile]
    sandbox_boot_ms: int
    template_used: Literal["default", "data-science", "web-dev", "video"]


class CodeExecuteInputFile(TypedDict):
    name: str
    content: NotRequired[Optional[str]]
    encoding: NotRequired[Literal["utf-8", "base64"]]
    url: NotRequired[Optional[str]]


class CompaniesFindData(TypedDict):
    company_name: Optional[str]
    domain: str
    description: Optional[str]
    industry: Optional[str]
    company_size: Optional[str]
    headquarters: Optional[str]
    website: Optional[str]
    founded_year: Optional[int]
    employees: Optional[int]
    annual_revenue: Optional[float]
    annual_revenue_printed: Optional[str]
    total_funding: Optional[float]
    total_funding_printed: Optional[str]
    latest_funding_stage: Optional[str]
    publicly_traded_symbol: Optional[str]
    publicly_traded_exchange: Optional[str]
    twitter_handle: Optional[str]
    linkedin_handle: Optional[str]
    instagram_handle: Optional[str]
    social_links: Dict[str, Any]
    technology_names: List[str]
    primary_brand_color: Optional[str]
    secondary_brand_color: Optional[str]
    logo_url: Optional[str]
    icon_url: Optional[str]
    company_kind: Optional[str]
    is_claimed: Optional[bool]
    value_proposition: Optional[str]
    ideal_customers: Optional[str]


class DocumentsExtractData(TypedDict):
    extracted: Dict[str, Any]
    source_url: Optional[str]
    content_length: int
    truncated: bool


class DomainsNamePrice(TypedDict):
    registration: Optional[float]
    renewal: Optional[float]
    currency: str
    source: str
    date: str


class DomainsName(TypedDict):
    domain: str
    name: str
    tld: str
    status: Literal["registered", "available", "premium", "early-access", "unknown"]
    available: Optional[bool]
    verified: Optional[bool]
    premium: Optional[bool]
    early_access: Optional[bool]
    price: DomainsNamePrice
    category: Optional[str]


class DomainsDomainPrice(TypedDict):
    registration: Optional[float]
    renewal: Optional[float]
    currency: str
    source: str
    date: str


class DomainsDomain(TypedDict):
    domain: str
    name: str
    tld: str
    status: Literal["registered", "available", "premium", "early-access", "unknown"]
    available: Optional[bool]
    verified: Optional[bool]
    premium: Optional[bool]
    early_access: Optional[bool]
    price: DomainsDomainPrice
    category: Optional[str]


class DomainsExtension(TypedDict):
    tld: str
    reason: str
    price: Optional[str]


class DomainsExtensionPrice(TypedDict):
    registration: Optional[float]
    renewal: Optional[float]
    currency: str
    source: str
    date: str


class DomainsExtension2(TypedDict):
    tld: str
    price: DomainsExtensionPrice
    prices: List[DomainsExtensionPrice]


class DomainsExtension3(TypedDict):
    tld: str
    length: int
    popularity: int
    theme: str


class DomainsData(TypedDict):
    names: List[DomainsName]
    domains: List[DomainsDomain]
    extensions: List[Union[DomainsExtension, DomainsExtension2, DomainsExtension3]]
    total: int
    offset: int
    limit: int


class EmailsFindData(TypedDict):
    email: str
    email_type: Literal["professional", "webmail", "role"]
    confidence: float
    verification_status: Literal["valid", "invalid", "catch-all", "unknown", "spamtrap", "abuse", "do_not_mail"]
    first_name: str
    last_name: str
    domain: str


class EmailsVerifyData(TypedDict):
    email: str
    status: Literal["valid", "invalid", "catch-all", "unknown", "spamtrap", "abuse", "do_not_mail"]
    sub_status: Optional[str]
    is_free_email: Optional[bool]
    did_you_mean: Optional[str]
    domain_age_days: Optional[str]
    smtp_provider: Optional[str]
    mx_found: Optional[Literal["true", "false"]]
    mx_record: Optional[str]


class FilesConvertData(TypedDict):
    file_name: str
    file_size: int
    file_url: str
    conversion_cost: float
    source_format: str
    target_format: str


class ImagesGenerateData(TypedDict):
    b64_json: str
    content_type: str
    prompt: str
    aspect_ratio: Literal["1:1", "2:3", "3:2", "3:4", "4:3", "4:5", "5:4", "9:16", "16:9", "21:9"]
    image_size: Literal["512px", "1K", "2K", "4K"]


class ImagesRemoveBackgroundData(TypedDict):
    image_base64: str
    format: Literal["png", "webp"]
    content_type: str


class InvoicesParseLineItem(TypedDict):
    description: Optional[str]
    quantity: Optional[float]
    unit_price: Optional[float]
    total_amount: Optional[float]
    tax_rate: Optional[float]


class InvoicesParseData(TypedDict):
    invoice_number: Optional[str]
    date: Optional[str]
    due_date: Optional[str]
    supplier_name: Optional[str]
    supplier_address: Optional[str]
    customer_name: Optional[str]
    currency: Optional[str]
    subtotal: Optional[float]
    total_tax: Optional[float]
    total_amount: Optional[float]
    line_items: List[InvoicesParseLineItem]


MessagesSendData = TypedDict(
    "MessagesSendData",
    {
        "message_id": str,
        "channel": Literal["sms", "whatsapp"],
        "to": str,
        "from": Optional[str],
        "status": str,
    },
)


class ProfilesFindExperience(TypedDict):
    company: Optional[str]
    title: Optional[str]
    start_date: Optional[str]
    end_date: Optional[str]


class ProfilesFindEducation(TypedDict):
    school: Optional[str]
    degree: Optional[str]
    field_of_study: Optional[str]
    start_date: Optional[str]
    end_date: Optional[str]


class ProfilesFindData(TypedDict):
    first_name: Optional[str]
    last_name: Optional[str]
    full_name: Optional[str]
    headline: Optional[str]
    company: Optional[str]
    title: Optional[str]
    location: Optional[str]
    summary: Optional[str]
    experience: List[ProfilesFindExperience]
    education: List[ProfilesFindEducation]
    skills: List[str]
    profile_image_url: Optional[str]
    linkedin_url: Optional[str]


class ResearchReportSection(TypedDict):
    heading: str
    content: str


class ResearchReport(TypedDict):
    title: str
    summary: str
    sections: List[ResearchReportSection]
    key_findings: List[str]
    confidence: float


class ResearchSource(TypedDict):
    id: int
    url: str
    title: str
    domain: str
    snippet: Optional[str]
    source_type: Literal["web", "news", "academic"]


class ResearchEntitiesPeople(TypedDict):
    name: str
    role: Optional[str]
    company: Optional[str]


class ResearchEntitiesCompany(TypedDict):
    name: str
    domain: Optional[str]
    industry: Optional[str]
    employee_count: Optional[int]


class ResearchEntities(TypedDict):
    people: List[ResearchEntitiesPeople]
    companies: List[ResearchEntitiesCompany]


class ResearchAnalysisChart(TypedDict):
    title: str
    url: str
    content_type: str
    expires_at: str
    data_url: Optional[str]


class ResearchAnalysis(TypedDict):
    summary: str
    charts: List[ResearchAnalysisChart]


class ResearchMetadata(TypedDict):
    depth_used: Literal["standard", "deep", "comprehensive"]
    sources_searched: int
    sources_scraped: int
    sources_cited: int
    entities_enriched: int
    refinement_rounds: int
    budget_exhausted: bool
    total_time_ms: float
    steps_completed: List[Literal["query_expansion", "web_search", "content_extraction", "entity_detection", "entity_enrichment", "synthesis"]]


class ResearchData(TypedDict):
    report: ResearchReport
    sources: List[ResearchSource]
    entities: ResearchEntities
    analysis: ResearchAnalysis
    structured_output: Optional[Dict[str, Any]]
    metadata: ResearchMetadata


class ScrapeData(TypedDict):
    content: str
    title: Optional[str]
    description: Optional[str]
    links: List[str]
    screenshot_url: Optional[str]


class ScreenshotsCaptureData(TypedDict):
    image_base64: str
    format: Literal["png", "jpeg", "webp", "pdf"]
    width: Optional[int]
    height: Optional[int]
    full_page: bool
    size_bytes: int


class SearchCitation(TypedDict):
    index: int
    title: str
    url: str
    snippet: Optional[str]


class SearchOrganicResult(TypedDict):
    url: str
    title: str
    snippet: Optional[str]
    position: int


class SearchKnowledgeGraph(TypedDict):
    title: str
    type: Optional[str]
    description: Optional[str]
    url: Optional[str]
    image_url: Optional[str]
    attributes: Dict[str, Any]


class SearchFeaturedSnippet(TypedDict):
    title: Optional[str]
    text: str
    url: Optional[str]


class SearchData(TypedDict):
    answer: Optional[str]
    citations: List[SearchCitation]
    organic_results: List[SearchOrganicResult]
    knowledge_graph: SearchKnowledgeGraph
    featured_snippet: SearchFeaturedSnippet


class SitesIntelWhois(TypedDict):
    created: Optional[str]
    expires: Optional[str]
    updated: Optional[str]
    registrar: Optional[str]
    nameservers: List[str]
    status: List[str]
    dnssec: Optional[bool]
    source: Optional[str]


class SitesIntelDnsMxRecord(TypedDict):
    priority: int
    host: str


class SitesIntelDnsDkimSelector(TypedDict):
    selector: str
    preview: str


class SitesIntelDns(TypedDict):
    provider: Optional[str]
    a_records: List[str]
    mx_records: List[SitesIntelDnsMxRecord]
    email_provider: Optional[str]
    has_spf: Optional[bool]
    spf_record: Optional[str]
    has_dmarc: Optional[bool]
    dmarc_policy: Optional[str]
    dkim_found: Optional[bool]
    dkim_selectors: List[SitesIntelDnsDkimSelector]


class SitesIntelSsl(TypedDict):
    issuer: Optional[str]
    valid_to: Optional[str]
    days_until_expiry: Optional[int]
    protocol: Optional[str]
    cipher_suite: Optional[str]


class SitesIntelHosting(TypedDict):
    provider: Optional[str]
    confidence: Optional[Literal["high", "medium", "low"]]
    ip: Optional[str]
    asn: Optional[str]
    asn_org: Optional[str]
    country: Optional[str]
    city: Optional[str]


class SitesIntelSpfInclude(TypedDict):
    domain: str
    depth: int
    record: Optional[str]


class SitesIntelSpf(TypedDict):
    record: str
    valid: bool
    all: Optional[str]
    lookups: int
    void_lookups: int
    mechanisms: List[str]
    includes: List[SitesIntelSpfInclude]
    problems: List[str]


class SitesIntelDmarc(TypedDict):
    record: str
    domain: str
    policy: Optional[str]
    subdomain_policy: Optional[str]
    percent: int
    dkim_alignment: Literal["relaxed", "strict"]
    spf_alignment: Literal["relaxed", "strict"]
    aggregate_reports: List[str]
    failure_reports: List[str]
    problems: List[str]


class SitesIntelDkim(TypedDict):
    selector: str
    record: str
    key_type: Optional[str]
    key_bits: Optional[int]
    testing: bool
    revoked: bool
    alias: Optional[str]
    problems: List[str]


class SitesIntelDnssec(TypedDict):
    signed: bool
    delegated: bool
    authenticated: bool
    matches: Optional[bool]
    bogus: bool
    algorithms: List[str]
    problems: List[str]


class SitesIntelCaa(TypedDict):
    flags: int
    tag: str
    value: str


class SitesIntelMtaSts(TypedDict):
    id: Optional[str]
    mode: Optional[str]
    mx: List[str]
    max_age: Optional[int]
    problems: List[str]


class SitesIntelTlsRpt(TypedDict):
    record: str
    reports: List[str]
    problems: List[str]


class SitesIntelBimi(TypedDict):
    record: str
    logo_url: Optional[str]
    certificate_url: Optional[str]
    problems: List[str]


class SitesIntelTechnology(TypedDict):
    name: str
    category: str
    version: Optional[str]
    confidence: Literal["high", "medium", "low"]
    evidence: List[str]


SitesIntelTlsVersions = TypedDict(
    "SitesIntelTlsVersions",
    {
        "TLSv1": Literal["accepted", "refused", "unknown"],
        "TLSv1.1": Literal["accepted", "refused", "unknown"],
        "TLSv1.2": Literal["accepted", "refused", "unknown"],
        "TLSv1.3": Literal["accepted", "refused", "unknown"],
    },
)


class SitesIntelTlsChain(TypedDict):
    subject: Optional[str]
    issuer: Optional[str]
    valid_from: str
    valid_to: str
    key_type: Optional[str]
    key_bits: Optional[int]
    fingerprint: str


class SitesIntelTls(TypedDict):
    trusted: bool
    trust_error: Optional[str]
    versions: SitesIntelTlsVersions
    alpn: Optional[str]
    ocsp_stapled: Optional[bool]
    names: List[str]
    chain: List[SitesIntelTlsChain]


class SitesIntelCheck(TypedDict):
    id: str
    passed: bool
    weight: float
    detail: str


class SitesIntelAreasTls(TypedDict):
    grade: Literal["A", "B", "C", "D", "E", "F"]
    score: int


class SitesIntelAreasEmail(TypedDict):
    grade: Literal["A", "B", "C", "D", "E", "F"]
    score: int


class SitesIntelAreasHeaders(TypedDict):
    grade: Literal["A", "B", "C", "D", "E", "F"]
    score: int


class SitesIntelAreas(TypedDict):
    tls: SitesIntelAreasTls
    email: SitesIntelAreasEmail
    headers: SitesIntelAreasHeaders


class SitesIntelSubdomain(TypedDict):
    subdomain: str
    ips: List[str]
    cname: Optional[str]
    dangling: bool


class SitesIntelData(TypedDict):
    domain: str
    whois: SitesIntelWhois
    dns: SitesIntelDns
    ssl: SitesIntelSsl
    hosting: SitesIntelHosting
    records: Optional[Dict[str, Any]]
    spf: SitesIntelSpf
    dmarc: SitesIntelDmarc
    dkim: Optional[List[SitesIntelDkim]]
    dnssec: SitesIntelDnssec
    caa: Optional[List[SitesIntelCaa]]
    mta_sts: SitesIntelMtaSts
    tls_rpt: SitesIntelTlsRpt
    bimi: SitesIntelBimi
    technologies: Optional[List[SitesIntelTechnology]]
    tls: SitesIntelTls
    grade: Optional[Literal["A", "B", "C", "D", "E", "F"]]
    score: Optional[int]
    checks: Optional[List[SitesIntelCheck]]
    areas: SitesIntelAreas
    graded_url: Optional[str]
    subdomains: Optional[List[SitesIntelSubdomain]]
    total: Optional[int]
    wildcard: Optional[bool]


class SoundsGenerateData(TypedDict):
    audio_base64: str
    format: Literal["mp3", "pcm", "wav", "ogg"]
    sample_rate: int
    duration_seconds: float
    prompt: str


class SpeechSynthesizeData(TypedDict):
    audio_base64: str
    format: Literal["mp3", "wav"]
    sample_rate: int
    text: str
    voice_model: str


class SpeechTranscribeWord(TypedDict):
    word: str
    start: float
    end: float
    confidence: Optional[float]
    punctuated_word: str


class SpeechTranscribeData(TypedDict):
    transcript: str
    confidence: Optional[float]
    language: Optional[str]
    words: List[SpeechTranscribeWord]
    duration_seconds: float


class SubtitlesGenerateData(TypedDict):
    subtitle_content: str
    format: Literal["srt", "vtt"]
    language: Optional[str]
    duration_seconds: float
    utterance_count: int


class VideoDownloadData(TypedDict):
    download_url: str
    expires_at: str
    filename: str
    filesize_mb: float
    duration_seconds: Optional[float]
    quality: Optional[str]
    format: Literal["mp4", "mp3", "m4a"]
    title: Optional[str]
    thumbnail_url: Optional[str]


class VideoInfoFormat(TypedDict):
    quality: Optional[str]
    format_id: str
    ext: Optional[str]
    filesize_mb: Optional[float]


class VideoInfoData(TypedDict):
    title: Optional[str]
    duration_seconds: Optional[float]
    thumbnail_url: Optional[str]
    uploader: Optional[str]
    upload_date: Optional[str]
    view_count: Optional[int]
    platform: Optional[str]
    formats: List[VideoInfoFormat]


class Account(TypedDict):
    id: str
    name: str
    balance: float
    held: float
    available: float
    overage_limit: float


class ApiKey(TypedDict):
    id: str
    name: str
    key_prefix: str
    rate_limit_per_minute: int
    created_at: str
    expires_at: Optional[str]
    scopes: Optional[List[str]]
    credit_limit: Optional[float]
    credit_limit_per_day: Optional[float]
    allowed_ips: Optional[List[str]]
    last_used_at: Optional[str]
    credits_used: float


class KeyList(TypedDict):
    total: int
    keys: List[ApiKey]


class CreatedKey(TypedDict):
    id: str
    name: str
    key_prefix: str
    rate_limit_per_minute: int
    created_at: str
    expires_at: Optional[str]
    scopes: Optional[List[str]]
    credit_limit: Optional[float]
    credit_limit_per_day: Optional[float]
    allowed_ips: Optional[List[str]]
    key: str


class DeletedKey(TypedDict):
    success: bool
    message: str


class CallRecord(TypedDict):
    id: str
    endpoint: str
    capability: str
    product: str
    mode: Optional[str]
    status: int
    success: bool
    credits_used: float
    provider_used: Optional[str]
    providers_tried: List[str]
    response_time_ms: float
    error_type: Optional[str]
    key_id: str
    request_id: str
    created_at: str
    via: Optional[str]
    aborted: bool


class CallList(TypedDict):
    calls: List[CallRecord]
    total: int
    limit: int
    offset: int


class CallStatsTotals(TypedDict):
    calls: int
    credits: float
    errors: int
    successes: int


class CallStatsByDay(TypedDict):
    date: str
    calls: int
    credits: float
    errors: int


class CallStatsByEndpoint(TypedDict):
    endpoint: str
    capability: str
    calls: int
    credits: float
    errors: int


class CallStats(TypedDict):
    days: int
    totals: CallStatsTotals
    by_day: List[CallStatsByDay]
    by_endpoint: List[CallStatsByEndpoint]


class EstimateBreakdown(TypedDict):
    item: str
    credits: float


class Estimate(TypedDict):
    capability: str
    credits: float
    breakdown: List[EstimateBreakdown]
    details: NotRequired[Dict[str, Any]]


class PlaygroundAnswer(TypedDict):
    capability: Optional[str]
    params: Dict[str, Any]
    alternatives: List[str]
    reply: str
    endpoint: Optional[str]
    method: Optional[str]
    curl: Optional[str]
    missing: List[str]
    credits: Optional[float]


class UploadedFile(TypedDict):
    file_url: str
    file_name: str
    file_size: int
    content_type: str
    expires_at: str


class NewKey(RequestOptions, total=False):
    name: str
    rate_limit_per_minute: int
    expires_in_days: Optional[float]
    scopes: Optional[Sequence[str]]
    credit_limit: Optional[float]
    credit_limit_per_day: Optional[float]
    allowed_ips: Optional[Sequence[str]]


class CallsQuery(RequestOptions, total=False):
    endpoint: str
    days: int
    limit: int
    offset: int
    product: str


class SyncAudio:
    """`client.audio`."""

    def __init__(self, client: SyncMethods) -> None:
        self._client = client

    def transcribe(
        self,
        *,
        audio_url: FileInput,
        language: Optional[str] = None,
        speaker_labels: Optional[bool] = None,
        **options: Unpack[CallOptions],
    ) -> Result[AudioTranscribeData]:
        """Transcribe audio with speaker labels.

        Transcribes an audio or video recording with speaker diarization: utterances with speaker, text, start and end
        in seconds, and confidence. Speakers are numbered from 0 in order of first appearance. With speaker_labels
        false, every utterance has speaker 0. A recording without speech (silence, noise, music without words) fails
        with no-result and is not charged. The limit is 4 hours. For the times of single words, use speech.transcribe.
        Costs 3 credits per successful call.

        audio_url: URL of the recording, http or https: audio or video in any common format, at most 4 hours.
        language: Spoken language, such as en, en_us or pt-BR; auto detects it.
        speaker_labels: Whether to distinguish speakers.
        """
        return self._client._call(
            "audio.transcribe",
            {
                "audio_url": audio_url,
                "language": language,
                "speaker_labels": speaker_labels,
            },
            **options,
        )


class SyncCode:
    """`client.code`."""

    def __init__(self, client: SyncMethods) -> None:
        self._client = client

    def execute(
        self,
        *,
        code: str,
        language: Optional[Literal["python", "javascript", "shell"]] = None,
        timeout: Optional[int] = None,
        template: Optional[Literal["default", "data-science", "web-dev", "video"]] = None,
        input_files: Optional[Sequence[CodeExecuteInputFile]] = None,
        packages: Optional[Sequence[str]] = None,
        **options: Unpack[CallOptions],
    ) -> Result[CodeExecuteData]:
        """Run code in a sandbox.

        Runs a Python, JavaScript or shell program in an isolated sandbox without network access and returns its output,
        its exit code and the files it created. Files can be placed in the working directory and Python packages
        installed before it starts. Matplotlib figures are returned as files, even without savefig. A program that ran
        is a success whatever its exit code: 124 means that the timeout stopped it, 137 that it ran out of memory, each
        with a line on stderr. Nothing is kept between runs. Costs 2 credits per successful call.

        code: Source code of the program.
        language: Language of the program: Python 3, JavaScript (Node.js) or Bash.
        timeout: Seconds the program may run.
        template: Preinstalled tools: data-science (pandas, Matplotlib), web-dev (Flask or Node.js), video (FFmpeg).
            data-science includes NumPy; web-dev for Python includes Requests and Beautiful Soup; default adds nothing.
        input_files: Files placed in the working directory before the program starts, at most 10 MiB in total.
        packages: Additional PyPI packages by name, or as name==version; Python only.
        """
        return self._client._call(
            "code.execute",
            {
                "code": code,
                "language": language,
                "timeout": timeout,
                "template": template,
                "input_files": input_files,
                "packages": packages,
            },
            **options,
        )


class SyncCompanies:
    """`client.companies`."""

    def __init__(self, client: SyncMethods) -> None:
        self._client = client

    def find(
        self,
        *,
        domain: str,
        company_name: Optional[str] = None,
        **options: Unpack[CallOptions],
    ) -> Result[CompaniesFindData]:
        """Find a company.

        Returns what is known about the company behind a domain: name, industry, size, headquarters, founding year,
        revenue, funding, stock listing, social profiles, technologies, logo, colours and value proposition. Providers
        of company data, providers of brand data and the website itself are queried in parallel and merged field by
        field; metadata.notes names the source of each field and any disagreement. Works without any provider account,
        from the website and Wikidata. Records about another domain are ignored. metadata.notes reports parked and
        redirecting domains. Unknown fields are null; if no company is known, the call fails with no-result and is not
        charged. Costs 3 credits per successful call.

        domain: Domain of the company, such as example.com, without scheme, path or port; any script.
        company_name: Name of the company, as a hint.
        """
        return self._client._call(
            "companies.find",
            {
                "domain": domain,
                "company_name": company_name,
            },
            **options,
        )


class SyncDocuments:
    """`client.documents`."""

    def __init__(self, client: SyncMethods) -> None:
        self._client = client

    def extract(
        self,
        *,
        url: Optional[str] = None,
        content: Optional[str] = None,
        extraction_prompt: Optional[str] = None,
        schema: Optional[Mapping[str, object]] = None,
        **options: Unpack[CallOptions],
    ) -> Result[DocumentsExtractData]:
        """Extract data from a document.

        Reads a web page, a document (PDF including scans, Office, OpenDocument, EPUB, email, CSV) or a text and returns
        the data described by a JSON Schema or a prompt as an object. With a schema, the result conforms to it. Strings
        are returned only if they occur in the source: an absent value is null, or omitted if the schema does not allow
        null; if a required value is absent, the call fails with no-result and is not charged. Long texts are processed
        in parts whose lists are merged; truncated says whether anything was left out. Costs 3 credits per successful
        call.

        url: URL of the web page, document or image to read; give either this or content. Documents: PDF (including
            scans), Word, Excel, PowerPoint, OpenDocument, EPUB, email, CSV and text.
        content: The text itself: plain text, Markdown or HTML; give either this or url.
        extraction_prompt: What to extract, in words. Required unless schema is given; with schema, it explains the
            schema.
        schema: JSON Schema (draft 2020-12) of the object to extract, at most 32,768 characters. Allow null for strings
            that may be absent.
        """
        return self._client._call(
            "documents.extract",
            {
                "url": url,
                "content": content,
                "extraction_prompt": extraction_prompt,
                "schema": schema,
            },
            **options,
        )


class SyncEmails:
    """`client.emails`."""

    def __init__(self, client: SyncMethods) -> None:
        self._client = client

    def find(
        self,
        *,
        first_name: str,
        last_name: str,
        domain: str,
        company: Optional[str] = None,
        **options: Unpack[CallOptions],
    ) -> Result[EmailsFindData]:
        """Find an email address.

        Finds a person's professional email address at a company's domain. Providers are queried in order until one is
        certain; then common address patterns are checked with the mail server, without sending mail.
        verification_status is valid, catch-all (the domain accepts mail for any name) or unknown. confidence, 0 to 100:
        from 85, the mailbox is confirmed; 75, the same for a first or last name alone; 60, accepted by a server that
        may accept every address, or returned by a provider for a catch-all domain; up to 50, unconfirmed: shown by the
        site or a provider (50), from a pattern of the domain (40), from the most common pattern (30). A provider's own
        score is kept. A call without a result is not charged. Free mail services such as gmail.com are refused. To
        check a known address, use emails.verify. Costs 2 credits per successful call.

        first_name: First name, in any script, without titles.
        last_name: Last name, with particles and all its parts.
        domain: Domain of the company's email addresses, such as example.com; not a URL.
        company: Name of the company; helps some providers.
        """
        return self._client._call(
            "emails.find",
            {
                "first_name": first_name,
                "last_name": last_name,
                "domain": domain,
                "company": company,
            },
            **options,
        )

    def verify(
        self,
        *,
        email: str,
        **options: Unpack[CallOptions],
    ) -> Result[EmailsVerifyData]:
        """Verify an email address.

        Checks whether an email address is deliverable, without sending mail: its syntax, the mail servers of its
        domain, and their response for the mailbox. status is valid, invalid, catch-all (the domain accepts mail for any
        name), do_not_mail (disposable, or a role address such as info@), spamtrap, abuse, or unknown, for example when
        mail servers cannot be reached or defer the check; sub_status gives the reason: mailbox_not_found,
        failed_syntax_check, no_dns_entries, does_not_accept_mail, mailbox_quota_exceeded, disposable, role_based,
        greylisted, antispam_system, failed_smtp_connection, timeout_exceeded and others. did_you_mean corrects a
        mistyped domain. Retry unknown later; other results are cached for a day. Costs 1 credit per successful call.

        email: The address alone, without a display name or angle brackets; any script.
        """
        return self._client._call(
            "emails.verify",
            {
                "email": email,
            },
            **options,
        )


class SyncFiles:
    """`client.files`."""

    def __init__(self, client: SyncMethods) -> None:
        self._client = client

    def convert(
        self,
        *,
        file_url: FileInput,
        source_format: str,
        target_format: Optional[str] = None,
        **options: Unpack[CallOptions],
    ) -> Result[FilesConvertData]:
        """Convert a file.

        Converts a document, spreadsheet, presentation, image, e-book, audio or video file, or archive to another
        format, by default PDF. GET /v1/files/formats lists the formats and their targets. The content of the file must
        match source_format. Macros and links in documents are disabled. Pages converted to images are returned as one
        ZIP archive, as file_name shows. The result is available at a link that expires. A file that cannot be converted
        is not charged. Costs 2 credits per successful call.

        file_url: URL of the file: public, or a file link of this gateway.
        source_format: Format of the file, such as docx, xlsx, png, mp3 or epub.
        target_format: Format to convert to.
        """
        return self._client._call(
            "files.convert",
            {
                "file_url": file_url,
                "source_format": source_format,
                "target_format": target_format,
            },
            **options,
        )


class SyncImages:
    """`client.images`."""

    def __init__(self, client: SyncMethods) -> None:
        self._client = client

    def generate(
        self,
        *,
        prompt: str,
        aspect_ratio: Optional[Literal["1:1", "2:3", "3:2", "3:4", "4:3", "4:5", "5:4", "9:16", "16:9", "21:9"]] = None,
        image_size: Optional[Literal["512px", "1K", "2K", "4K"]] = None,
        reference_image_url: Optional[FileInput] = None,
        skip_default_style: Optional[bool] = None,
        **options: Unpack[CallOptions],
    ) -> Result[ImagesGenerateData]:
        """Generate an image.

        Generates an image from a text prompt and an optional reference image. The result has exactly the requested
        aspect ratio and size. An image that a provider returns in another size is cropped at the centre and scaled,
        with a remark in metadata.notes. A house style is added to the prompt unless skip_default_style is true. If a
        provider refuses the prompt, or returns a black image instead, the next one is tried; if all refuse, the call
        fails and is not charged. Costs 3 credits per successful call.

        prompt: Description of the image.
        aspect_ratio: Ratio of width to height.
        image_size: Longer side in pixels: 512, 1024 (1K), 2048 (2K) or 4096 (4K). aspect_ratio sets the shorter side.
        reference_image_url: URL of an image to base the new one on, http or https, at most 20 MiB; null for none.
        skip_default_style: Whether to send the prompt unchanged, without the house style.
        """
        return self._client._call(
            "images.generate",
            {
                "prompt": prompt,
                "aspect_ratio": aspect_ratio,
                "image_size": image_size,
                "reference_image_url": reference_image_url,
                "skip_default_style": skip_default_style,
            },
            **options,
        )

    def remove_background(
        self,
        *,
        image_url: FileInput,
        size: Optional[Literal["auto", "preview", "full"]] = None,
        format: Optional[Literal["png", "webp"]] = None,
        **options: Unpack[CallOptions],
    ) -> Result[ImagesRemoveBackgroundData]:
        """Remove the background of an image.

        Removes the background of an image and returns the subject (people, products, animals, drawings) on a
        transparent background, as PNG or WebP. Accepts JPEG, PNG, WebP, GIF, TIFF, AVIF and SVG of up to 20 MiB and 40
        megapixels; the image is rotated by its EXIF orientation, and an animation is reduced to its first frame. size
        auto returns up to 10 megapixels, preview up to 0.25 megapixels, full the size of the source. An image without a
        recognisable subject is not charged. Costs 2 credits per successful call.

        image_url: URL of the image, http or https, or a file link of this gateway.
        size: auto: source size, at most 10 megapixels; preview: at most 0.25 megapixels; full: source size.
        format: File format; both support transparency.
        """
        return self._client._call(
            "images.remove_background",
            {
                "image_url": image_url,
                "size": size,
                "format": format,
            },
            **options,
        )


class SyncInvoices:
    """`client.invoices`."""

    def __init__(self, client: SyncMethods) -> None:
        self._client = client

    def parse(
        self,
        *,
        document_url: FileInput,
        **options: Unpack[CallOptions],
    ) -> Result[InvoicesParseData]:
        """Parse an invoice.

        Parses an invoice, receipt or credit note into fields: number, dates, supplier, customer, currency, amounts and
        line items. Accepts PDF, images (JPEG, PNG, WebP, GIF, TIFF) and electronic invoices (UBL, CII, Factur-X,
        ZUGFeRD, XRechnung, Peppol), also attached to a PDF; electronic data takes precedence over printed text. Amounts
        are checked: if they do not add up, the next provider is tried, and amounts that still contradict each other are
        null, with a remark in metadata.notes. Dates are YYYY-MM-DD, rates are percentages, and the amounts of a credit
        note are negative. Fields that the document does not state are null. Of several invoices in one file, only the
        first is parsed. Costs 3 credits per successful call.

        document_url: URL of the document, http or https: PDF, image or XML, at most 50 MB and 200 pages.
        """
        return self._client._call(
            "invoices.parse",
            {
                "document_url": document_url,
            },
            **options,
        )


class SyncMessages:
    """`client.messages`."""

    def __init__(self, client: SyncMethods) -> None:
        self._client = client

    def send(
        self,
        *,
        to: str,
        message: str,
        channel: Optional[Literal["auto", "whatsapp"]] = None,
        from_number: Optional[str] = None,
        **options: Unpack[CallOptions],
    ) -> Result[MessagesSendData]:
        """Send a message.

        Sends a text message to a phone number by SMS or WhatsApp, never twice: if it is unknown whether a provider
        accepted it, the call fails and says so. The operator sets the allowed countries. WhatsApp delivers free-form
        text only to recipients who messaged the business number within the last 24 hours. POST /v1/estimate returns the
        number of SMS segments. Costs 1 credit per successful call.

        to: Phone number of the recipient in E.164 format, such as +491711234567.
        message: Text of the message.
        channel: auto: SMS; whatsapp: WhatsApp.
        from_number: One of the senders of this account; by default chosen by country.
        """
        return self._client._call(
            "messages.send",
            {
                "to": to,
                "message": message,
                "channel": channel,
                "from_number": from_number,
            },
            **options,
        )


class SyncProfiles:
    """`client.profiles`."""

    def __init__(self, client: SyncMethods) -> None:
        self._client = client

    def find(
        self,
        *,
        linkedin_url: Optional[FileInput] = None,
        first_name: Optional[str] = None,
        last_name: Optional[str] = None,
        company: Optional[str] = None,
        include_image: Optional[bool] = None,
        **options: Unpack[CallOptions],
    ) -> Result[ProfilesFindData]:
        """Find a professional profile.

        Finds the professional profile of a person: name, headline, current company and title, location, summary,
        experience, education, skills and image. Give linkedin_url, or first_name, last_name and company. Several
        providers are queried and their results merged field by field; metadata.notes names the source of each field and
        any disagreement. Records are merged only if company, school or location agree, so that people with the same
        name are never mixed. The current job comes first and sets company and title. Dates are YYYY-MM, or YYYY if the
        month is unknown. Unknown fields are null or empty lists; if no provider knows the person, the call fails with
        no-result and is not charged. Costs 3 credits per successful call.

        linkedin_url: LinkedIn profile URL (/in/ or /pub/, any country). The URL itself is never opened.
        first_name: First name. Without linkedin_url, first_name, last_name and company are required.
        last_name: Last name.
        company: Current or former employer: its name or domain.
        include_image: Whether to return the URL of a profile image.
        """
        return self._client._call(
            "profiles.find",
            {
                "linkedin_url": linkedin_url,
                "first_name": first_name,
                "last_name": last_name,
                "company": company,
                "include_image": include_image,
            },
            **options,
        )


class SyncScreenshots:
    """`client.screenshots`."""

    def __init__(self, client: SyncMethods) -> None:
        self._client = client

    def capture(
        self,
        *,
        url: str,
        width: Optional[int] = None,
        height: Optional[int] = None,
        format: Optional[Literal["png", "jpeg", "webp", "pdf"]] = None,
        full_page: Optional[bool] = None,
        **options: Unpack[CallOptions],
    ) -> Result[ScreenshotsCaptureData]:
        """Capture a screenshot of a web page.

        Opens a web page in a browser and returns a screenshot as PNG, JPEG or WebP, or the page as a PDF with A4 pages
        and backgrounds. width and height set the viewport; full_page captures the whole page instead, including lazy-
        loaded images, up to 16,384 pixels high. Consent banners are declined or hidden, chat widgets hidden and
        animations stopped. An error page of the site (404, 500) is captured and its status given in metadata.notes;
        pages that refuse access or cannot be reached fail with an error and are not charged. Costs 1 credit per
        successful call.

        url: URL of the page, http or https.
        width: Viewport width in pixels. Ignored for pdf, which has A4 pages.
        height: Viewport height in pixels. With full_page, the image is as high as the page.
        format: File format.
        full_page: Whether to capture the whole page, up to 16,384 pixels high. pdf always has the whole page.
        """
        return self._client._call(
            "screenshots.capture",
            {
                "url": url,
                "width": width,
                "height": height,
                "format": format,
                "full_page": full_page,
            },
            **options,
        )


class SyncSites:
    """`client.sites`."""

    def __init__(self, client: SyncMethods) -> None:
        self._client = client

    def intel(
        self,
        *,
        domain: str,
        mode: Optional[Literal["overview", "whois", "dns", "tech-stack", "security", "subdomains"]] = None,
        **options: Unpack[CallOptions],
    ) -> Result[SitesIntelData]:
        """Inspect a domain.

        Returns technical information about a domain. overview: registration, DNS, TLS, hosting and email security in
        brief. whois: registration data. dns: all records, with SPF (includes and lookups counted), DMARC, DKIM, DNSSEC,
        CAA, MTA-STS, TLS-RPT and BIMI parsed. tech-stack: products detected on the home page, each with its evidence.
        security: TLS, email security and HTTP headers, weighted into a score from 0 to 100 and a grade from A to F.
        subdomains: 90 common names looked up in DNS. All data is looked up live and needs no provider account. A part
        that fails is null, with a remark in metadata.notes; fields of other modes are null. An unregistered name fails
        with no-result. Costs 2 (overview), 1 (whois), 1 (dns), 2 (tech-stack), 2 (security), 2 (subdomains) credits per
        successful call.

        domain: Domain or host name, such as example.com, without scheme, path or port; any script.
        mode: Information to return; overview is a summary.
        """
        return self._client._call(
            "sites.intel",
            {
                "domain": domain,
                "mode": mode,
            },
            **options,
        )


class SyncSounds:
    """`client.sounds`."""

    def __init__(self, client: SyncMethods) -> None:
        self._client = client

    def generate(
        self,
        *,
        prompt: str,
        duration_seconds: Optional[float] = None,
        duration: Optional[float] = None,
        prompt_influence: Optional[float] = None,
        output_format: Optional[Literal["mp3_44100_128", "mp3_22050_32", "pcm_16000", "pcm_44100", "wav_44100", "ogg_48000"]] = None,
        **options: Unpack[CallOptions],
    ) -> Result[SoundsGenerateData]:
        """Generate a sound.

        Generates a sound effect, ambient audio, foley or short instrumental music of 0.5 to 22 seconds from a text
        prompt. It never generates spoken words; use POST /v1/speech/synthesize for speech. Several sounds in one prompt
        are mixed; "then" puts one after another; words such as soft, distant, heavy, fast and echoing modify them; the
        word loop makes the end join the start seamlessly. The audio is Base64-encoded. MP3, Ogg and WAV are stereo at
        44,100 Hz or more and mono at 22,050 Hz; PCM is signed 16-bit little-endian mono. A prompt that matches no sound
        is not charged. Costs 4 credits per successful call.

        prompt: Description of the sound in English, such as rain on leaves with distant thunder.
        duration_seconds: Length in seconds, 0.5 to 22; default 5.
        duration: Alias of duration_seconds. If both are given, they must be equal.
        prompt_influence: How closely the sound follows the prompt, from 0 (creative) to 1 (literal).
        output_format: File format, sample rate in Hz, and bit rate of MP3 in kbit/s.
        """
        return self._client._call(
            "sounds.generate",
            {
                "prompt": prompt,
                "duration_seconds": duration_seconds,
                "duration": duration,
                "prompt_influence": prompt_influence,
                "output_format": output_format,
            },
            **options,
        )


class SyncSpeech:
    """`client.speech`."""

    def __init__(self, client: SyncMethods) -> None:
        self._client = client

    def synthesize(
        self,
        *,
        text: str,
        voice_model: Optional[str] = None,
        voice_id: Optional[str] = None,
        provider: Optional[str] = None,
        stability: Optional[float] = None,
        similarity_boost: Optional[float] = None,
        **options: Unpack[CallOptions],
    ) -> Result[SpeechSynthesizeData]:
        """Synthesize speech.

        Synthesizes speech from a text of at most 2,000 characters and returns Base64-encoded audio, MP3 or WAV as given
        by format. Local voices return WAV, or MP3 for speech longer than about 12 seconds. The language is detected
        from the text, or is that of the voice. voice_model selects a model, or a voice of providers that have no
        models; voice_id selects a voice; providers without that voice are skipped. provider selects one provider; auto
        tries them in order. GET /v1/speech/voices lists the voices. Markup such as SSML is read as text. Numbers,
        dates, amounts of money and web and email addresses are spoken as words. A text without a letter or digit is
        refused. Costs 2 credits per successful call.

        text: Text to speak, at most 2,000 characters.
        voice_model: Model such as eleven_multilingual_v2, or voice such as aura-2-thalia-en; null for the default.
        voice_id: Voice of the provider, such as alloy or en-us; null for the default.
        provider: Provider, such as elevenlabs or espeak-ng; auto: the first that can serve the call.
        stability: Stability of the voice, 0 to 1; ElevenLabs only.
        similarity_boost: Similarity to the original voice, 0 to 1; ElevenLabs only.
        """
        return self._client._call(
            "speech.synthesize",
            {
                "text": text,
                "voice_model": voice_model,
                "voice_id": voice_id,
                "provider": provider,
                "stability": stability,
                "similarity_boost": similarity_boost,
            },
            **options,
        )

    def transcribe(
        self,
        *,
        audio_url: Optional[FileInput] = None,
        audio_base64: Optional[str] = None,
        language: Optional[str] = None,
        **options: Unpack[CallOptions],
    ) -> Result[SpeechTranscribeData]:
        """Transcribe speech.

        Transcribes the speech in an audio or video recording, with the start and end of each word in seconds. Give
        either audio_url or audio_base64. A recording without speech (silence, noise, music without words) fails with
        no-result and is not charged. The limit is 4 hours. To distinguish speakers, use audio.transcribe. Costs 2
        credits per successful call.

        audio_url: URL of the recording, http or https: audio or video in any common format, at most 4 hours. Give
            either this or audio_base64.
        audio_base64: The recording, Base64-encoded or as a data: URL, at most 24 MiB; give either this or audio_url.
        language: Spoken language, such as en, en_us or pt-BR; auto detects it.
        """
        return self._client._call(
            "speech.transcribe",
            {
                "audio_url": audio_url,
                "audio_base64": audio_base64,
                "language": language,
            },
            **options,
        )


class SyncSubtitles:
    """`client.subtitles`."""

    def __init__(self, client: SyncMethods) -> None:
        self._client = client

    def generate(
        self,
        *,
        audio_url: FileInput,
        language: Optional[str] = None,
        format: Optional[Literal["srt", "vtt"]] = None,
        **options: Unpack[CallOptions],
    ) -> Result[SubtitlesGenerateData]:
        """Generate subtitles.

        Transcribes an audio or video recording and returns subtitles in SRT or WebVTT: at most two lines of 42
        characters, broken at phrases, displayed for 0.8 to 7 seconds at a readable speed, with a dash at a change of
        speaker. A recording without speech (silence, noise, music without words) fails with no-result and is not
        charged. The limit is 4 hours. Costs 2 credits per successful call.

        audio_url: URL of the recording, http or https: audio or video in any common format, at most 4 hours.
        language: Spoken language, such as en, en_us or pt-BR; auto detects it.
        format: srt: SubRip; vtt: WebVTT.
        """
        return self._client._call(
            "subtitles.generate",
            {
                "audio_url": audio_url,
                "language": language,
                "format": format,
            },
            **options,
        )


class SyncVideo:
    """`client.video`."""

    def __init__(self, client: SyncMethods) -> None:
        self._client = client

    def download(
        self,
        *,
        url: str,
        quality: Optional[str] = None,
        format: Optional[Literal["mp4", "mp3", "m4a"]] = None,
        **options: Unpack[CallOptions],
    ) -> Result[VideoDownloadData]:
        """Download a video.

        Downloads a video, or only its audio, and returns a link to the file that is valid for 1 hour. Video is MP4 in
        the best quality up to the requested one; audio is MP3 or M4A. Chapters and subtitles are kept if the site has
        them. The file size limit is 1 GiB. Live streams, playlists, and videos that are private, removed, restricted by
        age, region or payment, protected by DRM or behind a login fail with an error that states the reason and are not
        charged. Costs 3 (video), 2 (audio) credits per successful call.

        url: URL of a page with one video, of a post that contains one, or of a media file; http or https.
        quality: Maximum resolution in lines, 144 to 4320; `best`: no maximum; `audio`: audio only.
        format: mp4: video; mp3, m4a: audio only. Default mp4, or mp3 with quality `audio`.
        """
        return self._client._call(
            "video.download",
            {
                "url": url,
                "quality": quality,
                "format": format,
            },
            **options,
        )

    def info(
        self,
        *,
        url: str,
        **options: Unpack[CallOptions],
    ) -> Result[VideoInfoData]:
        """Get video metadata.

        Returns title, duration, uploader, upload date, view count, thumbnail and available formats of a video, or of a
        post that contains one, on more than 1,700 sites. Nothing is downloaded. Live streams, playlists, and videos
        that are private, removed, restricted by age, region or payment, protected by DRM or behind a login fail with an
        error that states the reason and are not charged. Costs 1 credit per successful call.

        url: URL of a page with one video, of a post that contains one, or of a media file; http or https.
        """
        return self._client._call(
            "video.info",
            {
                "url": url,
            },
            **options,
        )


class SyncMethods:
    """Methods of the capabilities; the client implements `_call`."""

    def _call(self, capability: str, params: Mapping[str, object], **options: Unpack[CallOptions]) -> Result[Any]:
        raise NotImplementedError

    def domains(
        self,
        *,
        mode: Optional[Literal["suggest-names", "suggest-extensions", "search-extensions", "check-availability", "pricing", "extension-catalog"]] = None,
        company_name: Optional[str] = None,
        description: Optional[str] = None,
        company_id: Optional[str] = None,
        query: Optional[str] = None,
        domains: Optional[Sequence[str]] = None,
        tlds: Optional[Sequence[str]] = None,
        exact_extension: Optional[bool] = None,
        offset: Optional[int] = None,
        **options: Unpack[CallOptions],
    ) -> Result[DomainsData]:
        """Suggest and check domain names.

        Suggests names for a business with availability and price (suggest-names) or extensions that fit it (suggest-
        extensions). Checks one name under every extension (search-extensions) or up to 100 full domains (check-
        availability). Compares registrar prices (pricing) and lists all extensions with length, popularity and theme
        (extension-catalog). search-extensions returns 50 entries per page. A name without a registry record is reported
        as available; notes say if no registrar confirmed that, since reserved and premium names look the same. Costs 5
        (suggest-names), 3 (suggest-extensions), 2 (search-extensions), 1 (check-availability), 1 (pricing), 1
        (extension-catalog) credits per successful call.

        mode: suggest-names: brandable names, available ones first; suggest-extensions: extensions that fit a business;
            search-extensions: one name under every extension, 50 per page; check-availability: full domains; pricing:
            prices of extensions; extension-catalog: every extension.
        company_name: Name of the business, for the suggest modes.
        description: What the business does, in a few words or sentences, for the suggest modes.
        company_id: Domain of a company known to companies.find, whose description grounds the suggestions.
        query: Exact name for search-extensions, such as acme; with an extension for exact_extension.
        domains: Full domains for check-availability, at most 100.
        tlds: Extensions to price, or to restrict a search, suggestion or catalogue to; at most 100.
        exact_extension: In search-extensions, whether to check only the extension given in query.
        offset: Position of the first entry of the page, from 0.
        """
        return self._call(
            "domains",
            {
                "mode": mode,
                "company_name": company_name,
                "description": description,
                "company_id": company_id,
                "query": query,
                "domains": domains,
                "tlds": tlds,
                "exact_extension": exact_extension,
                "offset": offset,
            },
            **options,
        )

    def find_emails(
        self,
        *,
        first_name: str,
        last_name: str,
        domain: str,
        company: Optional[str] = None,
        **options: Unpack[CallOptions],
    ) -> Result[EmailsFindData]:
        """Find an email address.

        Finds a person's professional email address at a company's domain. Providers are queried in order until one is
        certain; then common address patterns are checked with the mail server, without sending mail.
        verification_status is valid, catch-all (the domain accepts mail for any name) or unknown. confidence, 0 to 100:
        from 85, the mailbox is confirmed; 75, the same for a first or last name alone; 60, accepted by a server that
        may accept every address, or returned by a provider for a catch-all domain; up to 50, unconfirmed: shown by the
        site or a provider (50), from a pattern of the domain (40), from the most common pattern (30). A provider's own
        score is kept. A call without a result is not charged. Free mail services such as gmail.com are refused. To
        check a known address, use emails.verify. Costs 2 credits per successful call.

        first_name: First name, in any script, without titles.
        last_name: Last name, with particles and all its parts.
        domain: Domain of the company's email addresses, such as example.com; not a URL.
        company: Name of the company; helps some providers.
        """
        return self._call(
            "emails.find",
            {
                "first_name": first_name,
                "last_name": last_name,
                "domain": domain,
                "company": company,
            },
            **options,
        )

    def verify_email(
        self,
        email: str,
        **options: Unpack[CallOptions],
    ) -> Result[EmailsVerifyData]:
        """Verify an email address.

        Checks whether an email address is deliverable, without sending mail: its syntax, the mail servers of its
        domain, and their response for the mailbox. status is valid, invalid, catch-all (the domain accepts mail for any
        name), do_not_mail (disposable, or a role address such as info@), spamtrap, abuse, or unknown, for example when
        mail servers cannot be reached or defer the check; sub_status gives the reason: mailbox_not_found,
        failed_syntax_check, no_dns_entries, does_not_accept_mail, mailbox_quota_exceeded, disposable, role_based,
        greylisted, antispam_system, failed_smtp_connection, timeout_exceeded and others. did_you_mean corrects a
        mistyped domain. Retry unknown later; other results are cached for a day. Costs 1 credit per successful call.

        email: The address alone, without a display name or angle brackets; any script.
        """
        return self._call(
            "emails.verify",
            {
                "email": email,
            },
            **options,
        )

    def research(
        self,
        query: str,
        *,
        depth: Optional[Literal["standard", "deep", "comprehensive"]] = None,
        enrich_entities: Optional[bool] = None,
        include_analysis: Optional[bool] = None,
        synthesis: Optional[bool] = None,
        output_schema: Optional[Mapping[str, object]] = None,
        source_types: Optional[Union[Sequence[Literal["web", "news", "academic"]], str]] = None,
        domain_whitelist: Optional[Sequence[str]] = None,
        domain_blacklist: Optional[Sequence[str]] = None,
        max_sources: Optional[int] = None,
        freshness: Optional[Literal["any", "day", "week", "month"]] = None,
        **options: Unpack[CallOptions],
    ) -> Result[ResearchData]:
        """Research a question.

        Answers a question with a report whose sentences cite their sources. The question is split and searched for; the
        best pages are read, ranked and compared; open points are searched for again; people and companies are looked
        up. Sentences with a figure, name or date that the cited source does not contain are removed. depth sets how
        much is searched and read. The time and other budgets are never exceeded: when one is used up, the report is
        written from what was found, and budget_exhausted is true. Works without a language model, using sentences from
        the sources. source_types adds news and academic papers; output_schema returns the findings as an object;
        include_analysis adds charts. Costs 10 (standard), 20 (deep), 35 (comprehensive), +5 (include_analysis=true), +2
        (source_types:academic), -3 (enrich_entities=false), -5 (synthesis=false) credits per successful call.

        query: The research question.
        depth: How much is searched and read. standard: up to 5 searches and 8 pages in 60 s; deep: up to 15 and 20 in 3
            min; comprehensive: up to 30 and 40 in 8 min.
        enrich_entities: Whether to look up the people and companies named in the sources.
        include_analysis: Whether to compute charts from tables in the sources, in a sandbox.
        synthesis: Whether to write a report; false returns only sources and entities.
        output_schema: JSON Schema (draft 2020-12) of an object to fill from the sources, at most 32,768 characters.
        source_types: Kinds of source to use: web, news, academic; a list or a comma-separated string.
        domain_whitelist: Use only sources from these domains, compared by registrable domain.
        domain_blacklist: Use no sources from these domains, compared by registrable domain.
        max_sources: Maximum number of sources in the result.
        freshness: Only sources from the past day, week or month; any: no restriction.
        """
        return self._call(
            "research",
            {
                "query": query,
                "depth": depth,
                "enrich_entities": enrich_entities,
                "include_analysis": include_analysis,
                "synthesis": synthesis,
                "output_schema": output_schema,
                "source_types": source_types,
                "domain_whitelist": domain_whitelist,
                "domain_blacklist": domain_blacklist,
                "max_sources": max_sources,
                "freshness": freshness,
            },
            **options,
        )

    def scrape(
        self,
        url: str,
        *,
        mode: Optional[Literal["fast", "standard", "thorough"]] = None,
        output: Optional[Literal["markdown", "html"]] = None,
        wait_for: Optional[str] = None,
        timeout: Optional[int] = None,
        **options: Unpack[CallOptions],
    ) -> Result[ScrapeData]:
        """Read a web page.

        Reads a web page or online document and returns its readable content as Markdown or cleaned HTML, with title,
        description and links. Mode fast fetches the page without running scripts and suits articles, documentation,
        PDF, office documents, JSON and text files; standard renders it in a browser and suits pages built by scripts;
        thorough adds a stealth browser for sites that block ordinary ones, and a screenshot. Pages that refuse access,
        show a CAPTCHA or require a login fail with an error and are not charged. Costs 1 (fast), 2 (standard), 5
        (thorough) credits per successful call.

        url: URL of the page, http or https.
        mode: fast: HTTP fetch; standard: browser; thorough: browser, then a stealth browser if blocked.
        output: Format of the content.
        wait_for: CSS selector of an element that must be present before the page is read. Mode fast checks the HTML as
            served.
        timeout: Seconds allowed for reading the page.
        """
        return self._call(
            "scrape",
            {
                "url": url,
                "mode": mode,
                "output": output,
                "wait_for": wait_for,
                "timeout": timeout,
            },
            **options,
        )

    def search(
        self,
        query: str,
        *,
        mode: Optional[Literal["serp", "ai", "deep"]] = None,
        num_results: Optional[int] = None,
        country: Optional[str] = None,
        freshness: Optional[Literal["any", "day", "week", "month"]] = None,
        **options: Unpack[CallOptions],
    ) -> Result[SearchData]:
        """Search the web.

        Searches the web. Mode ai answers a question in a few sentences with citations; serp returns raw search-engine
        results (URL, title, snippet, knowledge graph, featured snippet); deep returns both. Use ai for questions and
        serp to find pages. Results can be restricted to a country and to the past day, week or month. Costs 1 (serp), 2
        (ai), 3 (deep) credits per successful call.

        query: Search query: keywords or a question.
        mode: serp: raw results; ai: an answer with citations; deep: both.
        num_results: Maximum number of organic results.
        country: Country to return results for: a two-letter ISO 3166-1 code, in upper or lower case.
        freshness: Only results from the past day, week or month; any: no restriction.
        """
        return self._call(
            "search",
            {
                "query": query,
                "mode": mode,
                "num_results": num_results,
                "country": country,
                "freshness": freshness,
            },
            **options,
        )

    @property
    def audio(self) -> SyncAudio:
        return SyncAudio(self)

    @property
    def code(self) -> SyncCode:
        return SyncCode(self)

    @property
    def companies(self) -> SyncCompanies:
        return SyncCompanies(self)

    @property
    def documents(self) -> SyncDocuments:
        return SyncDocuments(self)

    @property
    def emails(self) -> SyncEmails:
        return SyncEmails(self)

    @property
    def files(self) -> SyncFiles:
        return SyncFiles(self)

    @property
    def images(self) -> SyncImages:
        return SyncImages(self)

    @property
    def invoices(self) -> SyncInvoices:
        return SyncInvoices(self)

    @property
    def messages(self) -> SyncMessages:
        return SyncMessages(self)

    @property
    def profiles(self) -> SyncProfiles:
        return SyncProfiles(self)

    @property
    def screenshots(self) -> SyncScreenshots:
        return SyncScreenshots(self)

    @property
    def sites(self) -> SyncSites:
        return SyncSites(self)

    @property
    def sounds(self) -> SyncSounds:
        return SyncSounds(self)

    @property
    def speech(self) -> SyncSpeech:
        return SyncSpeech(self)

    @property
    def subtitles(self) -> SyncSubtitles:
        return SyncSubtitles(self)

    @property
    def video(self) -> SyncVideo:
        return SyncVideo(self)


class AsyncAudio:
    """`client.audio`."""

    def __init__(self, client: AsyncMethods) -> None:
        self._client = client

    async def transcribe(
        self,
        *,
        audio_url: FileInput,
        language: Optional[str] = None,
        speaker_labels: Optional[bool] = None,
        **options: Unpack[AsyncCallOptions],
    ) -> Result[AudioTranscribeData]:
        """Transcribe audio with speaker labels."""
        return await self._client._call(
            "audio.transcribe",
            {
                "audio_url": audio_url,
                "language": language,
                "speaker_labels": speaker_labels,
            },
            **options,
        )


class AsyncCode:
    """`client.code`."""

    def __init__(self, client: AsyncMethods) -> None:
        self._client = client

    async def execute(
        self,
        *,
        code: str,
        language: Optional[Literal["python", "javascript", "shell"]] = None,
        timeout: Optional[int] = None,
        template: Optional[Literal["default", "data-science", "web-dev", "video"]] = None,
        input_files: Optional[Sequence[CodeExecuteInputFile]] = None,
        packages: Optional[Sequence[str]] = None,
        **options: Unpack[AsyncCallOptions],
    ) -> Result[CodeExecuteData]:
        """Run code in a sandbox."""
        return await self._client._call(
            "code.execute",
            {
                "code": code,
                "language": language,
                "timeout": timeout,
                "template": template,
                "input_files": input_files,
                "packages": packages,
            },
            **options,
        )


class AsyncCompanies:
    """`client.companies`."""

    def __init__(self, client: AsyncMethods) -> None:
        self._client = client

    async def find(
        self,
        *,
        domain: str,
        company_name: Optional[str] = None,
        **options: Unpack[AsyncCallOptions],
    ) -> Result[CompaniesFindData]:
        """Find a company."""
        return await self._client._call(
            "companies.find",
            {
                "domain": domain,
                "company_name": company_name,
            },
            **options,
        )


class AsyncDocuments:
    """`client.documents`."""

    def __init__(self, client: AsyncMethods) -> None:
        self._client = client

    async def extract(
        self,
        *,
        url: Optional[str] = None,
        content: Optional[str] = None,
        extraction_prompt: Optional[str] = None,
        schema: Optional[Mapping[str, object]] = None,
        **options: Unpack[AsyncCallOptions],
    ) -> Result[DocumentsExtractData]:
        """Extract data from a document."""
        return await self._client._call(
            "documents.extract",
            {
                "url": url,
                "content": content,
                "extraction_prompt": extraction_prompt,
                "schema": schema,
            },
            **options,
        )


class AsyncEmails:
    """`client.emails`."""

    def __init__(self, client: AsyncMethods) -> None:
        self._client = client

    async def find(
        self,
        *,
        first_name: str,
        last_name: str,
        domain: str,
        company: Optional[str] = None,
        **options: Unpack[AsyncCallOptions],
    ) -> Result[EmailsFindData]:
        """Find an email address."""
        return await self._client._call(
            "emails.find",
            {
                "first_name": first_name,
                "last_name": last_name,
                "domain": domain,
                "company": company,
            },
            **options,
        )

    async def verify(
        self,
        *,
        email: str,
        **options: Unpack[AsyncCallOptions],
    ) -> Result[EmailsVerifyData]:
        """Verify an email address."""
        return await self._client._call(
            "emails.verify",
            {
                "email": email,
            },
            **options,
        )


class AsyncFiles:
    """`client.files`."""

    def __init__(self, client: AsyncMethods) -> None:
        self._client = client

    async def convert(
        self,
        *,
        file_url: FileInput,
        source_format: str,
        target_format: Optional[str] = None,
        **options: Unpack[AsyncCallOptions],
    ) -> Result[FilesConvertData]:
        """Convert a file."""
        return await self._client._call(
            "files.convert",
            {
                "file_url": file_url,
                "source_format": source_format,
                "target_format": target_format,
            },
            **options,
        )


class AsyncImages:
    """`client.images`."""

    def __init__(self, client: AsyncMethods) -> None:
        self._client = client

    async def generate(
        self,
        *,
        prompt: str,
        aspect_ratio: Optional[Literal["1:1", "2:3", "3:2", "3:4", "4:3", "4:5", "5:4", "9:16", "16:9", "21:9"]] = None,
        image_size: Optional[Literal["512px", "1K", "2K", "4K"]] = None,
        reference_image_url: Optional[FileInput] = None,
        skip_default_style: Optional[bool] = None,
        **options: Unpack[AsyncCallOptions],
    ) -> Result[ImagesGenerateData]:
        """Generate an image."""
        return await self._client._call(
            "images.generate",
            {
                "prompt": prompt,
                "aspect_ratio": aspect_ratio,
                "image_size": image_size,
                "reference_image_url": reference_image_url,
                "skip_default_style": skip_default_style,
            },
            **options,
        )

    async def remove_background(
        self,
        *,
        image_url: FileInput,
        size: Optional[Literal["auto", "preview", "full"]] = None,
        format: Optional[Literal["png", "webp"]] = None,
        **options: Unpack[AsyncCallOptions],
    ) -> Result[ImagesRemoveBackgroundData]:
        """Remove the background of an image."""
        return await self._client._call(
            "images.remove_background",
            {
                "image_url": image_url,
                "size": size,
                "format": format,
            },
            **options,
        )


class AsyncInvoices:
    """`client.invoices`."""

    def __init__(self, client: AsyncMethods) -> None:
        self._client = client

    async def parse(
        self,
        *,
        document_url: FileInput,
        **options: Unpack[AsyncCallOptions],
    ) -> Result[InvoicesParseData]:
        """Parse an invoice."""
        return await self._client._call(
            "invoices.parse",
            {
                "document_url": document_url,
            },
            **options,
        )


class AsyncMessages:
    """`client.messages`."""

    def __init__(self, client: AsyncMethods) -> None:
        self._client = client

    async def send(
        self,
        *,
        to: str,
        message: str,
        channel: Optional[Literal["auto", "whatsapp"]] = None,
        from_number: Optional[str] = None,
        **options: Unpack[AsyncCallOptions],
    ) -> Result[MessagesSendData]:
        """Send a message."""
        return await self._client._call(
            "messages.send",
            {
                "to": to,
                "message": message,
                "channel": channel,
                "from_number": from_number,
            },
            **options,
        )


class AsyncProfiles:
    """`client.profiles`."""

    def __init__(self, client: AsyncMethods) -> None:
        self._client = client

    async def find(
        self,
        *,
        linkedin_url: Optional[FileInput] = None,
        first_name: Optional[str] = None,
        last_name: Optional[str] = None,
        company: Optional[str] = None,
        include_image: Optional[bool] = None,
        **options: Unpack[AsyncCallOptions],
    ) -> Result[ProfilesFindData]:
        """Find a professional profile."""
        return await self._client._call(
            "profiles.find",
            {
                "linkedin_url": linkedin_url,
                "first_name": first_name,
                "last_name": last_name,
                "company": company,
                "include_image": include_image,
            },
            **options,
        )


class AsyncScreenshots:
    """`client.screenshots`."""

    def __init__(self, client: AsyncMethods) -> None:
        self._client = client

    async def capture(
        self,
        *,
        url: str,
        width: Optional[int] = None,
        height: Optional[int] = None,
        format: Optional[Literal["png", "jpeg", "webp", "pdf"]] = None,
        full_page: Optional[bool] = None,
        **options: Unpack[AsyncCallOptions],
    ) -> Result[ScreenshotsCaptureData]:
        """Capture a screenshot of a web page."""
        return await self._client._call(
            "screenshots.capture",
            {
                "url": url,
                "width": width,
                "height": height,
                "format": format,
                "full_page": full_page,
            },
            **options,
        )


class AsyncSites:
    """`client.sites`."""

    def __init__(self, client: AsyncMethods) -> None:
        self._client = client

    async def intel(
        self,
        *,
        domain: str,
        mode: Optional[Literal["overview", "whois", "dns", "tech-stack", "security", "subdomains"]] = None,
        **options: Unpack[AsyncCallOptions],
    ) -> Result[SitesIntelData]:
        """Inspect a domain."""
        return await self._client._call(
            "sites.intel",
            {
                "domain": domain,
                "mode": mode,
            },
            **options,
        )


class AsyncSounds:
    """`client.sounds`."""

    def __init__(self, client: AsyncMethods) -> None:
        self._client = client

    async def generate(
        self,
        *,
        prompt: str,
        duration_seconds: Optional[float] = None,
        duration: Optional[float] = None,
        prompt_influence: Optional[float] = None,
        output_format: Optional[Literal["mp3_44100_128", "mp3_22050_32", "pcm_16000", "pcm_44100", "wav_44100", "ogg_48000"]] = None,
        **options: Unpack[AsyncCallOptions],
    ) -> Result[SoundsGenerateData]:
        """Generate a sound."""
        return await self._client._call(
            "sounds.generate",
            {
                "prompt": prompt,
                "duration_seconds": duration_seconds,
                "duration": duration,
                "prompt_influence": prompt_influence,
                "output_format": output_format,
            },
            **options,
        )


class AsyncSpeech:
    """`client.speech`."""

    def __init__(self, client: AsyncMethods) -> None:
        self._client = client

    async def synthesize(
        self,
        *,
        text: str,
        voice_model: Optional[str] = None,
        voice_id: Optional[str] = None,
        provider: Optional[str] = None,
        stability: Optional[float] = None,
        similarity_boost: Optional[float] = None,
        **options: Unpack[AsyncCallOptions],
    ) -> Result[SpeechSynthesizeData]:
        """Synthesize speech."""
        return await self._client._call(
            "speech.synthesize",
            {
                "text": text,
                "voice_model": voice_model,
                "voice_id": voice_id,
                "provider": provider,
                "stability": stability,
                "similarity_boost": similarity_boost,
            },
            **options,
        )

    async def transcribe(
        self,
        *,
        audio_url: Optional[FileInput] = None,
        audio_base64: Optional[str] = None,
        language: Optional[str] = None,
        **options: Unpack[AsyncCallOptions],
    ) -> Result[SpeechTranscribeData]:
        """Transcribe speech."""
        return await self._client._call(
            "speech.transcribe",
            {
                "audio_url": audio_url,
                "audio_base64": audio_base64,
                "language": language,
            },
            **options,
        )


class AsyncSubtitles:
    """`client.subtitles`."""

    def __init__(self, client: AsyncMethods) -> None:
        self._client = client

    async def generate(
        self,
        *,
        audio_url: FileInput,
        language: Optional[str] = None,
        format: Optional[Literal["srt", "vtt"]] = None,
        **options: Unpack[AsyncCallOptions],
    ) -> Result[SubtitlesGenerateData]:
        """Generate subtitles."""
        return await self._client._call(
            "subtitles.generate",
            {
                "audio_url": audio_url,
                "language": language,
                "format": format,
            },
            **options,
        )


class AsyncVideo:
    """`client.video`."""

    def __init__(self, client: AsyncMethods) -> None:
        self._client = client

    async def download(
        self,
        *,
        url: str,
        quality: Optional[str] = None,
        format: Optional[Literal["mp4", "mp3", "m4a"]] = None,
        **options: Unpack[AsyncCallOptions],
    ) -> Result[VideoDownloadData]:
        """Download a video."""
        return await self._client._call(
            "video.download",
            {
                "url": url,
                "quality": quality,
                "format": format,
            },
            **options,
        )

    async def info(
        self,
        *,
        url: str,
        **options: Unpack[AsyncCallOptions],
    ) -> Result[VideoInfoData]:
        """Get video metadata."""
        return await self._client._call(
            "video.info",
            {
                "url": url,
            },
            **options,
        )


class AsyncMethods:
    """Methods of the capabilities; the client implements `_call`."""

    async def _call(self, capability: str, params: Mapping[str, object], **options: Unpack[AsyncCallOptions]) -> Result[Any]:
        raise NotImplementedError

    async def domains(
        self,
        *,
        mode: Optional[Literal["suggest-names", "suggest-extensions", "search-extensions", "check-availability", "pricing", "extension-catalog"]] = None,
        company_name: Optional[str] = None,
        description: Optional[str] = None,
        company_id: Optional[str] = None,
        query: Optional[str] = None,
        domains: Optional[Sequence[str]] = None,
        tlds: Optional[Sequence[str]] = None,
        exact_extension: Optional[bool] = None,
        offset: Optional[int] = None,
        **options: Unpack[AsyncCallOptions],
    ) -> Result[DomainsData]:
        """Suggest and check domain names."""
        return await self._call(
            "domains",
            {
                "mode": mode,
                "company_name": company_name,
                "description": description,
                "company_id": company_id,
                "query": query,
                "domains": domains,
                "tlds": tlds,
                "exact_extension": exact_extension,
                "offset": offset,
            },
            **options,
        )

    async def find_emails(
        self,
        *,
        first_name: str,
        last_name: str,
        domain: str,
        company: Optional[str] = None,
        **options: Unpack[AsyncCallOptions],
    ) -> Result[EmailsFindData]:
        """Find an email address."""
        return await self._call(
            "emails.find",
            {
                "first_name": first_name,
                "last_name": last_name,
                "domain": domain,
                "company": company,
            },
            **options,
        )

    async def verify_email(
        self,
        email: str,
        **options: Unpack[AsyncCallOptions],
    ) -> Result[EmailsVerifyData]:
        """Verify an email address."""
        return await self._call(
            "emails.verify",
            {
                "email": email,
            },
            **options,
        )

    async def research(
        self,
        query: str,
        *,
        depth: Optional[Literal["standard", "deep", "comprehensive"]] = None,
        enrich_entities: Optional[bool] = None,
        include_analysis: Optional[bool] = None,
        synthesis: Optional[bool] = None,
        output_schema: Optional[Mapping[str, object]] = None,
        source_types: Optional[Union[Sequence[Literal["web", "news", "academic"]], str]] = None,
        domain_whitelist: Optional[Sequence[str]] = None,
        domain_blacklist: Optional[Sequence[str]] = None,
        max_sources: Optional[int] = None,
        freshness: Optional[Literal["any", "day", "week", "month"]] = None,
        **options: Unpack[AsyncCallOptions],
    ) -> Result[ResearchData]:
        """Research a question."""
        return await self._call(
            "research",
            {
                "query": query,
                "depth": depth,
                "enrich_entities": enrich_entities,
                "include_analysis": include_analysis,
                "synthesis": synthesis,
                "output_schema": output_schema,
                "source_types": source_types,
                "domain_whitelist": domain_whitelist,
                "domain_blacklist": domain_blacklist,
                "max_sources": max_sources,
                "freshness": freshness,
            },
            **options,
        )

    async def scrape(
        self,
        url: str,
        *,
        mode: Optional[Literal["fast", "standard", "thorough"]] = None,
        output: Optional[Literal["markdown", "html"]] = None,
        wait_for: Optional[str] = None,
        timeout: Optional[int] = None,
        **options: Unpack[AsyncCallOptions],
    ) -> Result[ScrapeData]:
        """Read a web page."""
        return await self._call(
            "scrape",
            {
                "url": url,
                "mode": mode,
                "output": output,
                "wait_for": wait_for,
                "timeout": timeout,
            },
            **options,
        )

    async def search(
        self,
        query: str,
        *,
        mode: Optional[Literal["serp", "ai", "deep"]] = None,
        num_results: Optional[int] = None,
        country: Optional[str] = None,
        freshness: Optional[Literal["any", "day", "week", "month"]] = None,
        **options: Unpack[AsyncCallOptions],
    ) -> Result[SearchData]:
        """Search the web."""
        return await self._call(
            "search",
            {
                "query": query,
                "mode": mode,
                "num_results": num_results,
                "country": country,
                "freshness": freshness,
            },
            **options,
        )

    @property
    def audio(self) -> AsyncAudio:
        return AsyncAudio(self)

    @property
    def code(self) -> AsyncCode:
        return AsyncCode(self)

    @property
    def companies(self) -> AsyncCompanies:
        return AsyncCompanies(self)

    @property
    def documents(self) -> AsyncDocuments:
        return AsyncDocuments(self)

    @property
    def emails(self) -> AsyncEmails:
        return AsyncEmails(self)

    @property
    def files(self) -> AsyncFiles:
        return AsyncFiles(self)

    @property
    def images(self) -> AsyncImages:
        return AsyncImages(self)

    @property
    def invoices(self) -> AsyncInvoices:
        return AsyncInvoices(self)

    @property
    def messages(self) -> AsyncMessages:
        return AsyncMessages(self)

    @property
    def profiles(self) -> AsyncProfiles:
        return AsyncProfiles(self)

    @property
    def screenshots(self) -> AsyncScreenshots:
        return AsyncScreenshots(self)

    @property
    def sites(self) -> AsyncSites:
        return AsyncSites(self)

    @property
    def sounds(self) -> AsyncSounds:
        return AsyncSounds(self)

    @property
    def speech(self) -> AsyncSpeech:
        return AsyncSpeech(self)

    @property
    def subtitles(self) -> AsyncSubtitles:
        return AsyncSubtitles(self)

    @property
    def video(self) -> AsyncVideo:
        return AsyncVideo(self)
