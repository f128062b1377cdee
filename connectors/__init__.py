"""Where the outside is touched: Kafka, Milvus, the memo, models, metrics, and one module per source system."""
