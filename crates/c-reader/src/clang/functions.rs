//! The functions of libclang that we call, looked up by name in a loaded library.

use std::ffi::{c_char, c_int, c_longlong, c_uint, c_ulonglong};

use clang_sys::*;

macro_rules! functions {
    ($($field:ident: $symbol:ident($($argument:ty),*) $(-> $result:ty)?;)*) => {
        pub(super) struct Functions {
            $(pub(super) $field: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
        }

        impl Functions {
            pub(super) fn load(library: &libloading::Library) -> Result<Self, String> {
                Ok(Functions {
                    $($field: {
                        // SAFETY: the signature is that of libclang's `Index.h` for this symbol.
                        let symbol = unsafe { library.get(concat!(stringify!($symbol), "\0").as_bytes()) };
                        *symbol.map_err(|_| stringify!($symbol).to_owned())?
                    },)*
                })
            }
        }
    };
}

functions! {
    create_index: clang_createIndex(c_int, c_int) -> CXIndex;
    dispose_index: clang_disposeIndex(CXIndex);
    parse: clang_parseTranslationUnit2(CXIndex, *const c_char, *const *const c_char, c_int, *mut CXUnsavedFile, c_uint,
        c_uint, *mut CXTranslationUnit) -> CXErrorCode;
    dispose_unit: clang_disposeTranslationUnit(CXTranslationUnit);
    diagnostic_count: clang_getNumDiagnostics(CXTranslationUnit) -> c_uint;
    diagnostic: clang_getDiagnostic(CXTranslationUnit, c_uint) -> CXDiagnostic;
    dispose_diagnostic: clang_disposeDiagnostic(CXDiagnostic);
    diagnostic_severity: clang_getDiagnosticSeverity(CXDiagnostic) -> CXDiagnosticSeverity;
    diagnostic_spelling: clang_getDiagnosticSpelling(CXDiagnostic) -> CXString;
    diagnostic_location: clang_getDiagnosticLocation(CXDiagnostic) -> CXSourceLocation;
    diagnostic_range_count: clang_getDiagnosticNumRanges(CXDiagnostic) -> c_uint;
    diagnostic_range: clang_getDiagnosticRange(CXDiagnostic, c_uint) -> CXSourceRange;
    diagnostic_children: clang_getChildDiagnostics(CXDiagnostic) -> CXDiagnosticSet;
    diagnostics_in_set: clang_getNumDiagnosticsInSet(CXDiagnosticSet) -> c_uint;
    diagnostic_in_set: clang_getDiagnosticInSet(CXDiagnosticSet, c_uint) -> CXDiagnostic;
    unit_cursor: clang_getTranslationUnitCursor(CXTranslationUnit) -> CXCursor;
    visit_children: clang_visitChildren(CXCursor, CXCursorVisitor, CXClientData) -> c_uint;
    cursor_type: clang_getCursorType(CXCursor) -> CXType;
    cursor_referenced: clang_getCursorReferenced(CXCursor) -> CXCursor;
    cursor_canonical: clang_getCanonicalCursor(CXCursor) -> CXCursor;
    cursor_definition: clang_getCursorDefinition(CXCursor) -> CXCursor;
    cursor_is_definition: clang_isCursorDefinition(CXCursor) -> c_uint;
    cursor_spelling: clang_getCursorSpelling(CXCursor) -> CXString;
    cursor_pretty: clang_getCursorPrettyPrinted(CXCursor, CXPrintingPolicy) -> CXString;
    cursor_extent: clang_getCursorExtent(CXCursor) -> CXSourceRange;
    cursor_location: clang_getCursorLocation(CXCursor) -> CXSourceLocation;
    cursor_linkage: clang_getCursorLinkage(CXCursor) -> CXLinkageKind;
    cursor_storage: clang_Cursor_getStorageClass(CXCursor) -> CX_StorageClass;
    cursor_tls: clang_getCursorTLSKind(CXCursor) -> CXTLSKind;
    cursor_inlined: clang_Cursor_isFunctionInlined(CXCursor) -> c_uint;
    cursor_argument_count: clang_Cursor_getNumArguments(CXCursor) -> c_int;
    cursor_argument: clang_Cursor_getArgument(CXCursor, c_uint) -> CXCursor;
    cursor_initializer: clang_Cursor_getVarDeclInitializer(CXCursor) -> CXCursor;
    cursor_binary: clang_getCursorBinaryOperatorKind(CXCursor) -> c_int;
    cursor_unary: clang_getCursorUnaryOperatorKind(CXCursor) -> c_int;
    cursor_evaluate: clang_Cursor_Evaluate(CXCursor) -> CXEvalResult;
    eval_kind: clang_EvalResult_getKind(CXEvalResult) -> CXEvalResultKind;
    eval_is_unsigned: clang_EvalResult_isUnsignedInt(CXEvalResult) -> c_uint;
    eval_unsigned: clang_EvalResult_getAsUnsigned(CXEvalResult) -> c_ulonglong;
    eval_int: clang_EvalResult_getAsLongLong(CXEvalResult) -> c_longlong;
    eval_double: clang_EvalResult_getAsDouble(CXEvalResult) -> f64;
    eval_dispose: clang_EvalResult_dispose(CXEvalResult);
    enum_type: clang_getEnumDeclIntegerType(CXCursor) -> CXType;
    enum_value: clang_getEnumConstantDeclValue(CXCursor) -> c_longlong;
    enum_unsigned: clang_getEnumConstantDeclUnsignedValue(CXCursor) -> c_ulonglong;
    field_width: clang_getFieldDeclBitWidth(CXCursor) -> c_int;
    field_is_bits: clang_Cursor_isBitField(CXCursor) -> c_uint;
    field_offset: clang_Cursor_getOffsetOfField(CXCursor) -> c_longlong;
    typedef_type: clang_getTypedefDeclUnderlyingType(CXCursor) -> CXType;
    type_canonical: clang_getCanonicalType(CXType) -> CXType;
    type_spelling: clang_getTypeSpelling(CXType) -> CXString;
    type_pointee: clang_getPointeeType(CXType) -> CXType;
    type_array_element: clang_getArrayElementType(CXType) -> CXType;
    type_array_size: clang_getArraySize(CXType) -> c_longlong;
    type_result: clang_getResultType(CXType) -> CXType;
    type_arg_count: clang_getNumArgTypes(CXType) -> c_int;
    type_arg: clang_getArgType(CXType, c_uint) -> CXType;
    type_variadic: clang_isFunctionTypeVariadic(CXType) -> c_uint;
    type_size: clang_Type_getSizeOf(CXType) -> c_longlong;
    type_align: clang_Type_getAlignOf(CXType) -> c_longlong;
    type_declaration: clang_getTypeDeclaration(CXType) -> CXCursor;
    type_named: clang_Type_getNamedType(CXType) -> CXType;
    type_value: clang_Type_getValueType(CXType) -> CXType;
    type_is_const: clang_isConstQualifiedType(CXType) -> c_uint;
    type_is_volatile: clang_isVolatileQualifiedType(CXType) -> c_uint;
    type_fields: clang_Type_visitFields(CXType, CXFieldVisitor, CXClientData) -> c_uint;
    range_start: clang_getRangeStart(CXSourceRange) -> CXSourceLocation;
    range_end: clang_getRangeEnd(CXSourceRange) -> CXSourceLocation;
    location_file: clang_getFileLocation(CXSourceLocation, *mut CXFile, *mut c_uint, *mut c_uint, *mut c_uint);
    location_expansion: clang_getExpansionLocation(CXSourceLocation, *mut CXFile, *mut c_uint, *mut c_uint, *mut c_uint);
    location_is_system: clang_Location_isInSystemHeader(CXSourceLocation) -> c_int;
    file_name: clang_getFileName(CXFile) -> CXString;
    file_contents: clang_getFileContents(CXTranslationUnit, CXFile, *mut usize) -> *const c_char;
    inclusions: clang_getInclusions(CXTranslationUnit, CXInclusionVisitor, CXClientData);
    token_at: clang_getToken(CXTranslationUnit, CXSourceLocation) -> *mut CXToken;
    tokenize: clang_tokenize(CXTranslationUnit, CXSourceRange, *mut *mut CXToken, *mut c_uint);
    token_spelling: clang_getTokenSpelling(CXTranslationUnit, CXToken) -> CXString;
    dispose_tokens: clang_disposeTokens(CXTranslationUnit, *mut CXToken, c_uint);
    string_text: clang_getCString(CXString) -> *const c_char;
    string_dispose: clang_disposeString(CXString);
}
