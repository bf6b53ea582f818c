//! Requests of JavaScript as those of the core.

use super::*;

impl From<SearchRequest> for query::SearchRequest {
    fn from(request: SearchRequest) -> Self {
        let default = Self::default();
        Self {
            query: request.query.unwrap_or(default.query),
            mode: request.mode.map_or(default.mode, Into::into),
            limit: request.limit.unwrap_or(default.limit),
            sections_per_document: request.sections_per_document.unwrap_or(default.sections_per_document),
            prefix: request.prefix.unwrap_or(default.prefix),
            fusion: request.fusion.unwrap_or_default().into(),
            query_encoder: request.query_encoder.map_or(default.query_encoder, Into::into),
            explain: request.explain.unwrap_or(default.explain),
            filters: request.filters.unwrap_or_default().into_iter().map(Into::into).collect(),
            facets: request.facets.unwrap_or_default(),
            sort: request.sort.map(Into::into),
            rerank: request.rerank.map(Into::into),
            diversify: request.diversify.map(Into::into),
            collapse: request.collapse.unwrap_or(default.collapse),
        }
    }
}

impl From<Filter> for query::Filter {
    fn from(Filter { name, values }: Filter) -> Self {
        Self { name, values }
    }
}

impl From<Sort> for query::Sort {
    fn from(Sort { key, descending }: Sort) -> Self {
        Self { key, descending: descending.unwrap_or_default() }
    }
}

impl From<RerankRequest> for rerank::RerankRequest {
    fn from(request: RerankRequest) -> Self {
        let default = Self::default();
        let score = |PassageScore { id, relevance }| rerank::PassageScore { id, relevance };
        Self {
            candidates: request.candidates.unwrap_or(default.candidates),
            chunks_per_document: request.chunks_per_document.unwrap_or(default.chunks_per_document),
            weight: request.weight.unwrap_or(default.weight),
            scores: request.scores.unwrap_or_default().into_iter().map(score).collect(),
        }
    }
}

impl From<DiversifyRequest> for diversify::DiversifyRequest {
    fn from(request: DiversifyRequest) -> Self {
        let default = Self::default();
        Self {
            k: request.k.unwrap_or(default.k),
            fetch_k: request.fetch_k.unwrap_or(default.fetch_k),
            lambda: request.lambda.unwrap_or(default.lambda),
        }
    }
}

impl From<FusionSettings> for query::FusionSettings {
    fn from(settings: FusionSettings) -> Self {
        let default = Self::default();
        Self {
            method: settings.method.map_or(default.method, Into::into),
            vector_weight: settings.vector_weight.unwrap_or(default.vector_weight),
            bm25_weight: settings.bm25_weight.unwrap_or(default.bm25_weight),
            rrf_k: settings.rrf_k.unwrap_or(default.rrf_k),
        }
    }
}

impl From<SearchMode> for query::SearchMode {
    fn from(mode: SearchMode) -> Self {
        match mode {
            SearchMode::Hybrid => Self::Hybrid,
            SearchMode::Lexical => Self::Lexical,
            SearchMode::Semantic => Self::Semantic,
        }
    }
}

impl From<query::SearchMode> for SearchMode {
    fn from(mode: query::SearchMode) -> Self {
        match mode {
            query::SearchMode::Hybrid => Self::Hybrid,
            query::SearchMode::Lexical => Self::Lexical,
            query::SearchMode::Semantic => Self::Semantic,
        }
    }
}

impl From<QueryEncoder> for query::QueryEncoder {
    fn from(encoder: QueryEncoder) -> Self {
        match encoder {
            QueryEncoder::Model => Self::Model,
            QueryEncoder::Table => Self::Table,
        }
    }
}

impl From<query::QueryEncoder> for QueryEncoder {
    fn from(encoder: query::QueryEncoder) -> Self {
        match encoder {
            query::QueryEncoder::Model => Self::Model,
            query::QueryEncoder::Table => Self::Table,
        }
    }
}

impl From<FusionMethod> for query::FusionMethod {
    fn from(method: FusionMethod) -> Self {
        match method {
            FusionMethod::ReciprocalRank => Self::ReciprocalRank,
            FusionMethod::MinMax => Self::MinMax,
            FusionMethod::Adaptive => Self::Adaptive,
        }
    }
}
