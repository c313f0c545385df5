// Written by generate.mjs from the OpenAPI description of the gateway; do not edit.
import type { FileInput } from './files.js'

interface NamesObject {
  domain: string
  name: string
  tld: string
  status: 'registered' | 'available' | 'premium' | 'early-access' | 'unknown'
  available: boolean | null
  verified: boolean | null
  premium: boolean | null
  early_access: boolean | null
  price: PriceObject | null
  category: string | null
}

interface ResultObject {
  id: string
  name: string
  key_prefix: string
  rate_limit_per_minute: number
  created_at: string
  expires_at: string | null
  scopes: string[] | null
  credit_limit: number | null
  credit_limit_per_day: number | null
  allowed_ips: string[] | null
  key: string
}

interface PriceObject {
  registration: number | null
  renewal: number | null
  currency: string
  source: string
  date: string
}

interface TlsObject {
  grade: 'A' | 'B' | 'C' | 'D' | 'E' | 'F'
  score: number
}

/** What is known of every answer of a capability. */
export interface Metadata {
  provider_used: string | null
  providers_tried: string[]
  mode_used: string | null
  response_time_ms: number
  request_id: string
  attempts: {
    provider: string
    port: string
    under?: string
    outcome: 'ok' | 'invalid' | 'missing' | 'blocked' | 'busy' | 'quota' | 'credentials' | 'broken' | 'skipped'
    ms: number
    reason?: string
  }[]
  credits_balance?: number
  notes?: string[]
  usage?: {
    provider: string
    model: string
    input_tokens: number
    output_tokens: number
  }[]
}

/** Parameters and results of capabilities, by their ids. */
export interface Capabilities {
  'audio.transcribe': {
    params: {
      audio_url: FileInput
      language?: string
      speaker_labels?: boolean
    }
    data: {
      transcript: string
      confidence: number | null
      language: string | null
      duration_seconds: number
      word_count: number
      speaker_count: number
      utterances: {
        speaker: number
        text: string
        start: number
        end: number
        confidence: number | null
      }[]
    }
  }
  'code.execute': {
    params: {
      code: string
      language?: 'python' | 'javascript' | 'shell'
      timeout?: number
      template?: 'default' | 'data-science' | 'web-dev' | 'video' | null
      input_files?: {
        name: string
        content?: string | null
        encoding?: 'utf-8' | 'base64'
        url?: string | null
      }[]
      packages?: string[]
    }
    data: {
      stdout: string
      stderr: string
      exit_code: number
      execution_time_ms: number
      output_files: {
        name: string
        size_bytes: number
        content_type: string
        url: string
        expires_at: string
        content_base64: string | null
      }[]
      sandbox_boot_ms: number
      template_used: 'default' | 'data-science' | 'web-dev' | 'video'
    }
  }
  'companies.find': {
    params: {
      domain: string
      company_name?: string | null
    }
    data: {
      company_name: string | null
      domain: string
      description: string | null
      industry: string | null
      company_size: string | null
      headquarters: string | null
      website: string | null
      founded_year: number | null
      employees: number | null
      annual_revenue: number | null
      annual_revenue_printed: string | null
      total_funding: number | null
      total_funding_printed: string | null
      latest_funding_stage: string | null
      publicly_traded_symbol: string | null
      publicly_traded_exchange: string | null
      twitter_handle: string | null
      linkedin_handle: string | null
      instagram_handle: string | null
      social_links: Record<string, string>
      technology_names: string[]
      primary_brand_color: string | null
      secondary_brand_color: string | null
      logo_url: string | null
      icon_url: string | null
      company_kind: string | null
      is_claimed: boolean | null
      value_proposition: string | null
      ideal_customers: string | null
    }
  }
  'documents.extract': {
    params: {
      url?: string | null
      content?: string | null
      extraction_prompt?: string | null
      schema?: Record<string, unknown> | null
    }
    data: {
      extracted: Record<string, unknown>
      source_url: string | null
      content_length: number
      truncated: boolean
    }
  }
  domains: {
    params: {
      mode?: 'suggest-names' | 'suggest-extensions' | 'search-extensions' | 'check-availability' | 'pricing' | 'extension-catalog'
      company_name?: string | null
      description?: string | null
      company_id?: string | null
      query?: string | null
      domains?: string[] | null
      tlds?: string[] | null
      exact_extension?: boolean
      offset?: number
    }
    data: {
      names: NamesObject[]
      domains: NamesObject[]
      extensions: ({
        tld: string
        reason: string
        price: string | null
      } | {
        tld: string
        price: PriceObject | null
        prices: PriceObject[]
      } | {
        tld: string
        length: number
        popularity: number
        theme: string
      })[]
      total: number
      offset: number
      limit: number
    }
  }
  'emails.find': {
    params: {
      first_name: string
      last_name: string
      domain: string
      company?: string | null
    }
    data: {
      email: string
      email_type: 'professional' | 'webmail' | 'role'
      confidence: number
      verification_status: 'valid' | 'invalid' | 'catch-all' | 'unknown' | 'spamtrap' | 'abuse' | 'do_not_mail'
      first_name: string
      last_name: string
      domain: string
    }
  }
  'emails.verify': {
    params: {
      email: string
    }
    data: {
      email: string
      status: 'valid' | 'invalid' | 'catch-all' | 'unknown' | 'spamtrap' | 'abuse' | 'do_not_mail'
      sub_status: string | null
      is_free_email: boolean | null
      did_you_mean: string | null
      domain_age_days: string | null
      smtp_provider: string | null
      mx_found: 'true' | 'false' | null
      mx_record: string | null
    }
  }
  'files.convert': {
    params: {
      file_url: FileInput
      source_format: string
      target_format?: string
    }
    data: {
      file_name: string
      file_size: number
      file_url: string
      conversion_cost: number
      source_format: string
      target_format: string
    }
  }
  'images.generate': {
    params: {
      prompt: string
      aspect_ratio?: '1:1' | '2:3' | '3:2' | '3:4' | '4:3' | '4:5' | '5:4' | '9:16' | '16:9' | '21:9'
      image_size?: '512px' | '1K' | '2K' | '4K'
      reference_image_url?: FileInput | null
      skip_default_style?: boolean
    }
    data: {
      b64_json: string
      content_type: string
      prompt: string
      aspect_ratio: '1:1' | '2:3' | '3:2' | '3:4' | '4:3' | '4:5' | '5:4' | '9:16' | '16:9' | '21:9'
      image_size: '512px' | '1K' | '2K' | '4K'
    }
  }
  'images.remove_background': {
    params: {
      image_url: FileInput
      size?: 'auto' | 'preview' | 'full'
      format?: 'png' | 'webp'
    }
    data: {
      image_base64: string
      format: 'png' | 'webp'
      content_type: string
    }
  }
  'invoices.parse': {
    params: {
      document_url: FileInput
    }
    data: {
      invoice_number: string | null
      date: string | null
      due_date: string | null
      supplier_name: string | null
      supplier_address: string | null
      customer_name: string | null
      currency: string | null
      subtotal: number | null
      total_tax: number | null
      total_amount: number | null
      line_items: {
        description: string | null
        quantity: number | null
        unit_price: number | null
        total_amount: number | null
        tax_rate: number | null
      }[]
    }
  }
  'messages.send': {
    params: {
      to: string
      message: string
      channel?: 'auto' | 'whatsapp'
      from_number?: string | null
    }
    data: {
      message_id: string
      channel: 'sms' | 'whatsapp'
      to: string
      from: string | null
      status: string
    }
  }
  'profiles.find': {
    params: {
      linkedin_url?: FileInput
      first_name?: string
      last_name?: string
      company?: string
      include_image?: boolean
    }
    data: {
      first_name: string | null
      last_name: string | null
      full_name: string | null
      headline: string | null
      company: string | null
      title: string | null
      location: string | null
      summary: string | null
      experience: {
        company: string | null
        title: string | null
        start_date: string | null
        end_date: string | null
      }[]
      education: {
        school: string | null
        degree: string | null
        field_of_study: string | null
        start_date: string | null
        end_date: string | null
      }[]
      skills: string[]
      profile_image_url: string | null
      linkedin_url: string | null
    }
  }
  research: {
    params: {
      query: string
      depth?: 'standard' | 'deep' | 'comprehensive'
      enrich_entities?: boolean
      include_analysis?: boolean
      synthesis?: boolean
      output_schema?: Record<string, unknown> | null
      source_types?: ('web' | 'news' | 'academic')[] | string
      domain_whitelist?: string[] | null
      domain_blacklist?: string[] | null
      max_sources?: number
      freshness?: 'any' | 'day' | 'week' | 'month'
    }
    data: {
      report: {
        title: string
        summary: string
        sections: {
          heading: string
          content: string
        }[]
        key_findings: string[]
        confidence: number
      } | null
      sources: {
        id: number
        url: string
        title: string
        domain: string
        snippet: string | null
        source_type: 'web' | 'news' | 'academic'
      }[]
      entities: {
        people: {
          name: string
          role: string | null
          company: string | null
        }[]
        companies: {
          name: string
          domain: string | null
          industry: string | null
          employee_count: number | null
        }[]
      }
      analysis: {
        summary: string
        charts: {
          title: string
          url: string
          content_type: string
          expires_at: string
          data_url: string | null
        }[]
      } | null
      structured_output: Record<string, unknown> | null
      metadata: {
        depth_used: 'standard' | 'deep' | 'comprehensive'
        sources_searched: number
        sources_scraped: number
        sources_cited: number
        entities_enriched: number
        refinement_rounds: number
        budget_exhausted: boolean
        total_time_ms: number
        steps_completed: ('query_expansion' | 'web_search' | 'content_extraction' | 'entity_detection' | 'entity_enrichment' | 'synthesis')[]
      }
    }
  }
  scrape: {
    params: {
      url: string
      mode?: 'fast' | 'standard' | 'thorough'
      output?: 'markdown' | 'html'
      wait_for?: string | null
      timeout?: number
    }
    data: {
      content: string
      title: string | null
      description: string | null
      links: string[]
      screenshot_url: string | null
    }
  }
  'screenshots.capture': {
    params: {
      url: string
      width?: number
      height?: number
      format?: 'png' | 'jpeg' | 'webp' | 'pdf'
      full_page?: boolean
    }
    data: {
      image_base64: string
      format: 'png' | 'jpeg' | 'webp' | 'pdf'
      width: number | null
      height: number | null
      full_page: boolean
      size_bytes: number
    }
  }
  search: {
    params: {
      query: string
      mode?: 'serp' | 'ai' | 'deep'
      num_results?: number
      country?: string
      freshness?: 'any' | 'day' | 'week' | 'month'
    }
    data: {
      answer: string | null
      citations: {
        index: number
        title: string
        url: string
        snippet: string | null
      }[]
      organic_results: {
        url: string
        title: string
        snippet: string | null
        position: number
      }[]
      knowledge_graph: {
        title: string
        type: string | null
        description: string | null
        url: string | null
        image_url: string | null
        attributes: Record<string, string>
      } | null
      featured_snippet: {
        title: string | null
        text: string
        url: string | null
      } | null
    }
  }
  'sites.intel': {
    params: {
      domain: string
      mode?: 'overview' | 'whois' | 'dns' | 'tech-stack' | 'security' | 'subdomains'
    }
    data: {
      domain: string
      whois: {
        created: string | null
        expires: string | null
        updated: string | null
        registrar: string | null
        nameservers: string[]
        status: string[]
        dnssec: boolean | null
        source: string | null
      } | null
      dns: {
        provider: string | null
        a_records: string[]
        mx_records: {
          priority: number
          host: string
        }[]
        email_provider: string | null
        has_spf: boolean | null
        spf_record: string | null
        has_dmarc: boolean | null
        dmarc_policy: string | null
        dkim_found: boolean | null
        dkim_selectors: {
          selector: string
          preview: string
        }[]
      } | null
      ssl: {
        issuer: string | null
        valid_to: string | null
        days_until_expiry: number | null
        protocol: string | null
        cipher_suite: string | null
      } | null
      hosting: {
        provider: string | null
        confidence: 'high' | 'medium' | 'low' | null
        ip: string | null
        asn: string | null
        asn_org: string | null
        country: string | null
        city: string | null
      } | null
      records: Record<string, string[]> | null
      spf: {
        record: string
        valid: boolean
        all: string | null
        lookups: number
        void_lookups: number
        mechanisms: string[]
        includes: {
          domain: string
          depth: number
          record: string | null
        }[]
        problems: string[]
      } | null
      dmarc: {
        record: string
        domain: string
        policy: string | null
        subdomain_policy: string | null
        percent: number
        dkim_alignment: 'relaxed' | 'strict'
        spf_alignment: 'relaxed' | 'strict'
        aggregate_reports: string[]
        failure_reports: string[]
        problems: string[]
      } | null
      dkim: {
        selector: string
        record: string
        key_type: string | null
        key_bits: number | null
        testing: boolean
        revoked: boolean
        alias: string | null
        problems: string[]
      }[] | null
      dnssec: {
        signed: boolean
        delegated: boolean
        authenticated: boolean
        matches: boolean | null
        bogus: boolean
        algorithms: string[]
        problems: string[]
      } | null
      caa: {
        flags: number
        tag: string
        value: string
      }[] | null
      mta_sts: {
        id: string | null
        mode: string | null
        mx: string[]
        max_age: number | null
        problems: string[]
      } | null
      tls_rpt: {
        record: string
        reports: string[]
        problems: string[]
      } | null
      bimi: {
        record: string
        logo_url: string | null
        certificate_url: string | null
        problems: string[]
      } | null
      technologies: {
        name: string
        category: string
        version: string | null
        confidence: 'high' | 'medium' | 'low'
        evidence: string[]
      }[] | null
      tls: {
        trusted: boolean
        trust_error: string | null
        versions: {
          TLSv1: 'accepted' | 'refused' | 'unknown'
          'TLSv1.1': 'accepted' | 'refused' | 'unknown'
          'TLSv1.2': 'accepted' | 'refused' | 'unknown'
          'TLSv1.3': 'accepted' | 'refused' | 'unknown'
        } | null
        alpn: string | null
        ocsp_stapled: boolean | null
        names: string[]
        chain: {
          subject: string | null
          issuer: string | null
          valid_from: string
          valid_to: string
          key_type: string | null
          key_bits: number | null
          fingerprint: string
        }[]
      } | null
      grade: 'A' | 'B' | 'C' | 'D' | 'E' | 'F' | null
      score: number | null
      checks: {
        id: string
        passed: boolean
        weight: number
        detail: string
      }[] | null
      areas: {
        tls: TlsObject | null
        email: TlsObject | null
        headers: TlsObject | null
      } | null
      graded_url: string | null
      subdomains: {
        subdomain: string
        ips: string[]
        cname: string | null
        dangling: boolean
      }[] | null
      total: number | null
      wildcard: boolean | null
    }
  }
  'sounds.generate': {
    params: {
      prompt: string
      duration_seconds?: number | null
      duration?: number | null
      prompt_influence?: number
      output_format?: 'mp3_44100_128' | 'mp3_22050_32' | 'pcm_16000' | 'pcm_44100' | 'wav_44100' | 'ogg_48000'
    }
    data: {
      audio_base64: string
      format: 'mp3' | 'pcm' | 'wav' | 'ogg'
      sample_rate: number
      duration_seconds: number
      prompt: string
    }
  }
  'speech.synthesize': {
    params: {
      text: string
      voice_model?: string | null
      voice_id?: string | null
      provider?: string | null
      stability?: number
      similarity_boost?: number
    }
    data: {
      audio_base64: string
      format: 'mp3' | 'wav'
      sample_rate: number
      text: string
      voice_model: string
    }
  }
  'speech.transcribe': {
    params: {
      audio_url?: FileInput | null
      audio_base64?: string | null
      language?: string
    }
    data: {
      transcript: string
      confidence: number | null
      language: string | null
      words: {
        word: string
        start: number
        end: number
        confidence: number | null
        punctuated_word: string
      }[]
      duration_seconds: number
    }
  }
  'subtitles.generate': {
    params: {
      audio_url: FileInput
      language?: string
      format?: 'srt' | 'vtt'
    }
    data: {
      subtitle_content: string
      format: 'srt' | 'vtt'
      language: string | null
      duration_seconds: number
      utterance_count: number
    }
  }
  'video.download': {
    params: {
      url: string
      quality?: string
      format?: 'mp4' | 'mp3' | 'm4a' | null
    }
    data: {
      download_url: string
      expires_at: string
      filename: string
      filesize_mb: number
      duration_seconds: number | null
      quality: string | null
      format: 'mp4' | 'mp3' | 'm4a'
      title: string | null
      thumbnail_url: string | null
    }
  }
  'video.info': {
    params: {
      url: string
    }
    data: {
      title: string | null
      duration_seconds: number | null
      thumbnail_url: string | null
      uploader: string | null
      upload_date: string | null
      view_count: number | null
      platform: string | null
      formats: {
        quality: string | null
        format_id: string
        ext: string | null
        filesize_mb: number | null
      }[]
    }
  }
}

/** Parameters and answers of routes that are no capabilities, by their operations. */
export interface Routes {
  listKeys: {
    query: {
      limit?: number
      offset?: number
    }
    result: {
      total: number
      keys: {
        id: string
        name: string
        key_prefix: string
        rate_limit_per_minute: number
        created_at: string
        expires_at: string | null
        scopes: string[] | null
        credit_limit: number | null
        credit_limit_per_day: number | null
        allowed_ips: string[] | null
        last_used_at: string | null
        credits_used: number
      }[]
    }
  }
  createKey: {
    body: {
      name?: string
      rate_limit_per_minute?: number
      expires_in_days?: number | null
      scopes?: string[] | null
      credit_limit?: number | null
      credit_limit_per_day?: number | null
      allowed_ips?: string[] | null
    }
    result: ResultObject
  }
  rotateKey: {
    body: {
      overlap_seconds?: number
    }
    result: ResultObject
  }
  deleteKey: {
    result: {
      success: boolean
      message: string
    }
  }
  getAccount: {
    result: {
      id: string
      name: string
      balance: number
      held: number
      available: number
      overage_limit: number
    }
  }
  listCalls: {
    query: {
      endpoint?: string
      days?: number
      limit?: number
      offset?: number
      product?: string
    }
    result: {
      calls: {
        id: string
        endpoint: string
        capability: string
        product: string
        mode: string | null
        status: number
        success: boolean
        credits_used: number
        provider_used: string | null
        providers_tried: string[]
        response_time_ms: number
        error_type: string | null
        key_id: string
        request_id: string
        created_at: string
        via: string | null
        aborted: boolean
      }[]
      total: number
      limit: number
      offset: number
    }
  }
  getStats: {
    query: {
      days?: number
      product?: string
    }
    result: {
      days: number
      totals: {
        calls: number
        credits: number
        errors: number
        successes: number
      }
      by_day: {
        date: string
        calls: number
        credits: number
        errors: number
      }[]
      by_endpoint: {
        endpoint: string
        capability: string
        calls: number
        credits: number
        errors: number
      }[]
    }
  }
  estimate: {
    body: {
      capability: string
      params?: Record<string, unknown>
    }
    result: {
      capability: string
      credits: number
      breakdown: {
        item: string
        credits: number
      }[]
      details?: Record<string, string | number>
    }
  }
  chat: {
    body: {
      message: string
      conversation_history?: Record<string, string>[]
      product?: string
    }
    result: {
      capability: string | null
      params: Record<string, unknown>
      alternatives: string[]
      reply: string
      endpoint: string | null
      method: string | null
      curl: string | null
      missing: string[]
      credits: number | null
    }
  }
  uploadFile: {
    result: {
      data: {
        file_url: string
        file_name: string
        file_size: number
        content_type: string
        expires_at: string
      }
    }
  }
}

/** Seconds until the deadline of each capability; of two figures the second is the default of its parameter `timeout`, which is added. @internal */
export const DEADLINES: Readonly<Record<string, readonly [seconds: number, standard?: number]>> = {
  'audio.transcribe': [300],
  'code.execute': [90, 30],
  'companies.find': [45],
  'documents.extract': [120],
  domains: [30],
  'emails.find': [60],
  'emails.verify': [30],
  'files.convert': [120],
  'images.generate': [120],
  'images.remove_background': [60],
  'invoices.parse': [90],
  'messages.send': [30],
  'profiles.find': [30],
  research: [504],
  scrape: [75, 30],
  'screenshots.capture': [45],
  search: [30],
  'sites.intel': [30],
  'sounds.generate': [120],
  'speech.synthesize': [60],
  'speech.transcribe': [300],
  'subtitles.generate': [300],
  'video.download': [300],
  'video.info': [60],
}
