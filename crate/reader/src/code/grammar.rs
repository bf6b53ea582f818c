//! What a symbol is in each language: the kinds of its grammar's nodes.

use querent_core::document::ContentType;
use tree_sitter::Language;

/// How the nodes of one language are read. Every list names kinds of nodes.
pub(super) struct Grammar {
    pub(super) language: Language,
    /// Symbols that hold symbols, with the word that stands before their name.
    pub(super) containers: &'static [(&'static str, &'static str)],
    /// Symbols that are read as a whole, with the word before their name.
    pub(super) symbols: &'static [(&'static str, &'static str)],
    /// Symbols only where they are documented or long: a section for each line of constants would say nothing.
    pub(super) values: &'static [(&'static str, &'static str)],
    /// Nodes around a symbol that belong to it: decorators, `export`.
    pub(super) wrappers: &'static [&'static str],
    /// Nodes that are looked into for symbols.
    pub(super) bodies: &'static [&'static str],
    /// Imports, which share one section.
    pub(super) imports: &'static [&'static str],
    /// Attributes before a symbol that belong to it.
    pub(super) attributes: &'static [&'static str],
}

/// The grammar of `content_type`; a file's name tells apart the dialects of TypeScript.
pub(super) fn of(content_type: ContentType, path: &str) -> Option<Grammar> {
    Some(match content_type {
        ContentType::Rust => rust(),
        ContentType::Python => python(),
        ContentType::JavaScript => scripts(tree_sitter_javascript::LANGUAGE.into()),
        ContentType::TypeScript if path.to_ascii_lowercase().ends_with('x') => {
            scripts(tree_sitter_typescript::LANGUAGE_TSX.into())
        }
        ContentType::TypeScript => scripts(tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into()),
        ContentType::Go => go(),
        ContentType::Java => java(),
        ContentType::C => c(),
        _ => return None,
    })
}

fn rust() -> Grammar {
    Grammar {
        language: tree_sitter_rust::LANGUAGE.into(),
        containers: &[("impl_item", "impl"), ("trait_item", "trait"), ("mod_item", "mod")],
        symbols: &[
            ("function_item", "fn"),
            ("function_signature_item", "fn"),
            ("struct_item", "struct"),
            ("enum_item", "enum"),
            ("union_item", "union"),
            ("macro_definition", "macro"),
        ],
        values: &[
            ("const_item", "const"),
            ("static_item", "static"),
            ("type_item", "type"),
            ("associated_type", "type"),
        ],
        wrappers: &[],
        bodies: &["source_file", "declaration_list", "foreign_mod_item"],
        imports: &["use_declaration", "extern_crate_declaration"],
        attributes: &["attribute_item"],
    }
}

fn python() -> Grammar {
    Grammar {
        language: tree_sitter_python::LANGUAGE.into(),
        containers: &[("class_definition", "class")],
        symbols: &[("function_definition", "def")],
        values: &[],
        wrappers: &["decorated_definition"],
        bodies: &["module", "block", "if_statement", "try_statement"],
        imports: &["import_statement", "import_from_statement", "future_import_statement"],
        attributes: &[],
    }
}

fn scripts(language: Language) -> Grammar {
    Grammar {
        language,
        containers: &[
            ("class_declaration", "class"),
            ("abstract_class_declaration", "class"),
            ("internal_module", "namespace"),
            ("module", "module"),
        ],
        symbols: &[
            ("function_declaration", "function"),
            ("generator_function_declaration", "function"),
            ("function_signature", "function"),
            ("method_definition", "method"),
            ("method_signature", "method"),
            ("abstract_method_signature", "method"),
            ("interface_declaration", "interface"),
            ("enum_declaration", "enum"),
        ],
        values: &[
            ("type_alias_declaration", "type"),
            ("lexical_declaration", "const"),
            ("variable_declaration", "var"),
            ("public_field_definition", "field"),
            ("field_definition", "field"),
        ],
        wrappers: &["export_statement", "ambient_declaration", "expression_statement"],
        bodies: &["program", "class_body", "statement_block"],
        imports: &["import_statement"],
        attributes: &["decorator"],
    }
}

fn go() -> Grammar {
    Grammar {
        language: tree_sitter_go::LANGUAGE.into(),
        containers: &[],
        symbols: &[
            ("function_declaration", "func"),
            ("method_declaration", "func"),
            ("type_declaration", "type"),
        ],
        values: &[("const_declaration", "const"), ("var_declaration", "var")],
        wrappers: &[],
        bodies: &["source_file"],
        imports: &["import_declaration"],
        attributes: &[],
    }
}

fn java() -> Grammar {
    Grammar {
        language: tree_sitter_java::LANGUAGE.into(),
        containers: &[
            ("class_declaration", "class"),
            ("interface_declaration", "interface"),
            ("enum_declaration", "enum"),
            ("record_declaration", "record"),
        ],
        symbols: &[
            ("method_declaration", "method"),
            ("constructor_declaration", "constructor"),
            ("compact_constructor_declaration", "constructor"),
            ("annotation_type_declaration", "@interface"),
        ],
        values: &[("field_declaration", "field"), ("constant_declaration", "const")],
        wrappers: &[],
        bodies: &["program", "class_body", "interface_body", "enum_body", "enum_body_declarations"],
        imports: &["import_declaration"],
        attributes: &[],
    }
}

fn c() -> Grammar {
    Grammar {
        language: tree_sitter_c::LANGUAGE.into(),
        containers: &[],
        symbols: &[
            ("function_definition", "function"),
            ("struct_specifier", "struct"),
            ("union_specifier", "union"),
            ("enum_specifier", "enum"),
            ("preproc_function_def", "macro"),
        ],
        values: &[("type_definition", "typedef"), ("declaration", "declaration"), ("preproc_def", "macro")],
        wrappers: &[],
        bodies: &[
            "translation_unit",
            "preproc_ifdef",
            "preproc_if",
            "preproc_else",
            "preproc_elif",
            "linkage_specification",
            "declaration_list",
        ],
        imports: &["preproc_include"],
        attributes: &[],
    }
}
